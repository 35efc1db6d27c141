/** Asks for the id of a message on a ledger, and says what came of reading what was published with it. */
import { BlockworkApiError } from '@blockwork/client';
import type { UseMutationResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { texts as all } from '../texts.js';
import { Failure } from './failure.js';

const texts = all.messageId;

export function MessageIdForm({
  label,
  submit,
  importing,
  children,
}: {
  /** Names the form. */
  readonly label: string;
  /** On the button. */
  readonly submit: string;
  /** Takes the id of the message. */
  readonly importing: Pick<UseMutationResult<unknown, Error, string>, 'mutate' | 'isPending' | 'error'>;
  /** Before the field. */
  readonly children: ReactNode;
}): ReactNode {
  const [typed, setTyped] = useState('');
  const { error, isPending } = importing;
  const hint = error instanceof BlockworkApiError ? texts.hints[error.error] : undefined;
  return (
    <form
      className="stack message-id"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        importing.mutate(typed.trim());
      }}
    >
      {children}
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
        <button type="submit" disabled={isPending}>
          {isPending ? texts.importing : submit}
        </button>
      </div>
    </form>
  );
}
