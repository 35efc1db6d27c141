/** The line below the studio: what is wrong, how large the policy is, whether it is saved, and what just happened. */
import { useState, type ReactNode } from 'react';
import { Ago } from '../../ui/ago.js';
import type { DraftState } from '../draft/draft.js';
import { useStudio } from '../studio-context.js';
import { studioTexts } from '../texts.js';
import { FindingCounts } from './finding-counts.js';
import { FindingLine } from './finding-line.js';
import { fixesOf } from './fixes.js';

const texts = studioTexts.findings;

/** Findings listed at once: the first are to be mended first. */
const MOST = 200;

interface BarProps {
  readonly state: DraftState;
  readonly message: string;
}

export function StatusBar({ state, message }: BarProps): ReactNode {
  const { findings, definition, blocks, types } = useStudio();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <footer className="status">
      {isOpen && (
        <section className="all-findings" aria-label={texts.title} tabIndex={0}>
          {findings.length === 0 && <p className="quiet">{texts.none}</p>}
          <ul className="plain">
            {findings.slice(0, MOST).map((finding, at) => (
              <li key={at}>
                <FindingLine hasPlace finding={finding} fixes={fixesOf(finding, definition, blocks, types)} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <div className="bar">
        <button
          type="button"
          className="quiet-button"
          aria-expanded={isOpen}
          onClick={() => {
            setIsOpen(!isOpen);
          }}
        >
          <FindingCounts findings={findings} />
        </button>
        <span className="quiet">{texts.blocks(blocks.byId.size)}</span>
        <span className="quiet">{texts.schemas(definition.schemas.length)}</span>
        <span className="quiet said" role="status">
          {message}
        </span>
        <span className="quiet saved">
          {state.pendingSaves > 0 && studioTexts.saving}
          {state.pendingSaves === 0 && state.savedAt === null && studioTexts.unchanged}
          {state.pendingSaves === 0 && state.savedAt !== null && (
            <>
              {studioTexts.saved} <Ago at={state.savedAt} />
            </>
          )}
        </span>
      </div>
    </footer>
  );
}
