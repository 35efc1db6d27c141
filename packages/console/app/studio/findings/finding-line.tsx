/** One finding, with what mends it to click. */
import type { ReactNode } from 'react';
import type { Finding } from '../../policy/finding.js';
import { useStudio } from '../studio-context.js';
import { studioTexts } from '../texts.js';
import type { Fix } from './fixes.js';

interface LineProps {
  readonly finding: Finding;
  readonly fixes: readonly Fix[];
  /** Whether it names its block, as in a list of all. */
  readonly hasPlace?: boolean;
}

export function FindingLine({ finding, fixes, hasPlace = false }: LineProps): ReactNode {
  const { blocks, select, edit, isReadOnly } = useStudio();
  const { severity, message, block = '' } = finding;
  const at = blocks.byId.get(block);
  return (
    <div className={`finding ${severity}`}>
      <p>
        <span className={`mark ${severity}`}>{severity}</span> {message}
      </p>
      <div className="actions">
        {hasPlace && at !== undefined && (
          <button
            type="button"
            className="link"
            onClick={() => {
              select(at.id);
            }}
          >
            {studioTexts.findings.goTo(at.tag || at.type)}
          </button>
        )}
        {!isReadOnly &&
          fixes.map((fix) => (
            <button key={fix.label} type="button" className="fix" onClick={() => void edit(fix.operations)}>
              {fix.label}
            </button>
          ))}
      </div>
    </div>
  );
}
