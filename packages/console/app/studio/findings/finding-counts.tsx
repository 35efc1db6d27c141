/** How many findings there are of each kind that there is. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Finding } from '../../policy/finding.js';
import { studioTexts } from '../texts.js';

const texts = studioTexts.findings;

export const countOf = (findings: readonly Finding[], severity: Finding['severity']): number =>
  findings.filter((finding) => finding.severity === severity).length;

export function FindingCounts({ findings }: { readonly findings: readonly Finding[] }): ReactNode {
  if (findings.length === 0) return texts.none;
  const [errors, warnings] = [countOf(findings, 'error'), countOf(findings, 'warning')];
  const hints = findings.length - errors - warnings;
  return (
    <span className="counts">
      {errors > 0 && (
        <span>
          <span className="dot error" aria-hidden="true" /> {texts.errors(errors)}
        </span>
      )}
      {warnings > 0 && (
        <span>
          <span className="dot warning" aria-hidden="true" /> {texts.warnings(warnings)}
        </span>
      )}
      {hints > 0 && <span>{texts.hints(hints)}</span>}
    </span>
  );
}

interface LinkProps {
  readonly id: string;
  readonly findings: readonly Finding[];
}

/** With a link to all of them. */
export const FindingsLink = ({ id, findings }: LinkProps): ReactNode =>
  findings.length === 0 ? (
    <p className="quiet">{texts.none}</p>
  ) : (
    <p>
      <Link href={`/policies/${encodeURIComponent(id)}/findings`}>
        <FindingCounts findings={findings} />
      </Link>
    </p>
  );
