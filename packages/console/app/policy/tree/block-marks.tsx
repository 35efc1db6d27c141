/** The markers of a block: pending work, findings, and its last event. */
import type { ReactNode } from 'react';
import type { UnitFacts } from '../../live/live-store.js';
import { texts } from '../../texts.js';
import { timeText } from '../../ui/format.js';
import type { Finding } from '../finding.js';
import type { Tones } from './tones.js';
import type { BlockNode } from './tree-model.js';
import { type PendingWork, pendingWorkTexts } from './pending-work.js';

/** What the page knows about blocks beyond their configuration. */
export interface BlockFacts {
  readonly work: PendingWork | undefined;
  /** By UUID. */
  readonly findings: ReadonlyMap<string, readonly Finding[]>;
  /** By tag. */
  readonly latestUnits: ReadonlyMap<string, UnitFacts>;
  /** The revision of the last unit received. */
  readonly latest: number | undefined;
  readonly tones: Tones;
  /** The blocks on the path of a unit, by tag, with the numbers of its steps. */
  readonly path: ReadonlyMap<string, readonly number[]>;
}

export function BlockMarks({ node, facts }: { readonly node: BlockNode; readonly facts: BlockFacts }): ReactNode {
  const findings = facts.findings.get(node.uuid) ?? [];
  const isBad = findings.some(({ severity }) => severity === 'error');
  const steps = facts.path.get(node.tag) ?? [];
  return (
    <>
      {pendingWorkTexts(facts.work?.get(node.uuid) ?? {}).map(({ kind, text }) => (
        <span key={kind} className={`chip ${kind}`}>
          {text}
        </span>
      ))}
      {findings.length > 0 && (
        <span className={isBad ? 'chip retries' : 'chip'}>{texts.policy.findingCount(findings.length)}</span>
      )}
      {steps.length > 0 && <span className="chip step-chip">{texts.policy.stepsOfPath(steps)}</span>}
      <LatestUnitMark unit={facts.latestUnits.get(node.tag)} latest={facts.latest} />
    </>
  );
}

interface LatestUnitMarkProps {
  readonly unit: UnitFacts | undefined;
  /** The revision of the policy's last unit. */
  readonly latest: number | undefined;
}

function LatestUnitMark({ unit, latest }: LatestUnitMarkProps): ReactNode {
  if (unit === undefined) return null;
  const { revision, at, cause } = unit;
  return (
    // A new key restarts the animation.
    <span key={revision} className={revision === latest ? 'touch latest' : 'touch'}>
      {texts.live.causes[cause] ?? cause} <time dateTime={at}>{timeText(at)}</time>
    </span>
  );
}
