/** Says that somebody else changed the same, with both values, and lets its author choose. */
import type { ReactNode } from 'react';
import { WithNames } from '../../session/with-names.js';
import { useStudio } from '../studio-context.js';
import { studioTexts } from '../texts.js';
import type { Conflict } from './draft.js';

const texts = studioTexts.conflict;

export function ConflictNotice({ conflict }: { readonly conflict: Conflict }): ReactNode {
  const { draft } = useStudio();
  return (
    <div className="card warning conflict" role="alert">
      <p>
        <strong>{texts.title}</strong>
      </p>
      {conflict.message.split('\n').map((line, at) => (
        <p key={at}>
          <WithNames text={line} />
        </p>
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
