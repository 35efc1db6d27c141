/** Says that somebody else changed the same, with both values, and lets its author choose. */
import type { ReactNode } from 'react';
import { usePeople } from '../../session/people.js';
import { useStudio } from '../studio-context.js';
import { studioTexts } from '../texts.js';
import type { Conflict } from './draft.js';

const texts = studioTexts.conflict;

export function ConflictNotice({ conflict }: { readonly conflict: Conflict }): ReactNode {
  const { draft } = useStudio();
  const { all } = usePeople();
  // People by their names, as far as this page knows them.
  const message = all.reduce((text, { did, name }) => text.replaceAll(did, name), conflict.message);
  return (
    <div className="card warning conflict" role="alert">
      <p>
        <strong>{texts.title}</strong>
      </p>
      {message.split('\n').map((line, at) => (
        <p key={at}>{line}</p>
      ))}
      <div className="actions">
        <button
          type="button"
          onClick={() => {
            draft.dismiss();
          }}
        >
          {texts.keepTheirs}
        </button>
        <button type="button" className="primary" onClick={() => void draft.insist()}>
          {texts.useMine}
        </button>
      </div>
    </div>
  );
}
