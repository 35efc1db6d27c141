/** Asks the user to confirm that an account is associated with a token, or dissociated from it. */
import { type BlockViewProps, type Slot, titleOf } from '@blockwork/react';
import { useId, useState, type ReactNode } from 'react';
import { texts } from '../../texts.js';
import { Failure } from '../../ui/failure.js';
import { Loaded } from '../../ui/loaded.js';
import { useBlock, useSend } from '../policy-context.js';
import { SendButton } from '../send-button.js';

interface ConfirmationAnswer extends Slot {
  readonly action: 'associate' | 'dissociate';
  /** `null` until a run waits for the user. */
  readonly accountId: string | null;
  readonly tokenId: string | null;
  readonly tokenName: string | null;
}

export default function TokenConfirmation({ block }: BlockViewProps): ReactNode {
  const query = useBlock<ConfirmationAnswer>(block.id);
  return (
    <Loaded query={query}>
      {(answer) => (
        <section className="card stack">
          <h2>{titleOf(answer)}</h2>
          {answer.accountId === null ? (
            <p className="quiet">{texts.confirmation.nothing}</p>
          ) : (
            <ConfirmationForm answer={answer} account={answer.accountId} />
          )}
        </section>
      )}
    </Loaded>
  );
}

interface FormProps {
  readonly answer: ConfirmationAnswer;
  readonly account: string;
}

function ConfirmationForm({ answer, account }: FormProps): ReactNode {
  const { id: uuid, action, tokenId, tokenName } = answer;
  const keyId = useId();
  const send = useSend({ uuid });
  const [key, setKey] = useState('');
  const token = tokenName ?? tokenId ?? texts.confirmation.unknownToken;
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate({ action: 'confirm', hederaAccountKey: key });
        setKey('');
      }}
    >
      <p>{texts.confirmation[action](account, token)}</p>
      <label htmlFor={keyId}>{texts.confirmation.key}</label>
      <input
        id={keyId}
        type="password"
        required
        autoComplete="off"
        value={key}
        onChange={(event) => {
          setKey(event.target.value);
        }}
      />
      <div className="actions">
        <button type="submit" className="primary" disabled={send.isPending}>
          {texts.confirmation.confirm}
        </button>
        <SendButton send={send} data={{ action: 'skip' }}>
          {texts.confirmation.skip}
        </SendButton>
      </div>
      {send.error !== null && <Failure error={send.error} />}
    </form>
  );
}
