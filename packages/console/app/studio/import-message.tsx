/** A policy by the id of the message that published it. */
import { BlockworkApiError } from '@blockwork/client';
import { useState, type ReactNode } from 'react';
import { useImport } from '../policies/use-import.js';
import { Failure } from '../ui/failure.js';
import { studioTexts } from './texts.js';

const texts = studioTexts.newPolicy.message;

export function ImportMessage(): ReactNode {
  const [typed, setTyped] = useState('');
  const importing = useImport((routes, messageId: string) => routes.importPublishedPolicy({ body: { messageId } }));
  const { error } = importing;
  const hint = error instanceof BlockworkApiError ? texts.hints[error.error] : undefined;
  return (
    <form
      className="stack new-policy"
      aria-label={texts.title}
      onSubmit={(event) => {
        event.preventDefault();
        importing.mutate(typed.trim());
      }}
    >
      <h3>{texts.title}</h3>
      <p className="quiet">{texts.explain}</p>
      <label>
        {texts.label}{' '}
        <input
          required
          inputMode="decimal"
          autoComplete="off"
          maxLength={40}
          pattern="\s*[0-9]{1,12}\.[0-9]{9}\s*"
          title={texts.form}
          placeholder="1706823227.586179534"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
          }}
        />
      </label>
      {error !== null && <Failure error={error} />}
      {hint !== undefined && <p>{hint}</p>}
      <div className="actions">
        <button type="submit" disabled={importing.isPending}>
          {importing.isPending ? texts.importing : texts.import}
        </button>
      </div>
    </form>
  );
}
