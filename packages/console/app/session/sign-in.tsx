/** Signing in, at the server's provider or with a pasted token. */
import { useId, useState, type ReactNode } from 'react';
import { useProvider } from '../api/server.js';
import { texts } from '../texts.js';
import { addPerson, personOf, usePeople, type Person } from './people.js';
import { callerOf } from './provider/caller.js';
import { SignInProblem } from './provider/problem.js';
import { ProviderButton } from './provider/provider-button.js';

export function SignIn({ onDone }: { readonly onDone?: () => void }): ReactNode {
  const isSignedIn = usePeople().active !== null;
  if (useProvider() === undefined) return <TokenForm onDone={onDone} />;
  return (
    <div className="stack">
      <ProviderButton label={texts.provider.signIn} asSomebodyElse={isSignedIn} />
      <p className="quiet">{texts.provider.kept}</p>
      <details>
        <summary>{texts.provider.orToken}</summary>
        <TokenForm onDone={onDone} />
      </details>
    </div>
  );
}

const isOver = ({ expires }: Person): boolean => expires !== null && expires < Date.now();

function TokenForm({ onDone }: { readonly onDone: (() => void) | undefined }): ReactNode {
  const id = useId();
  const hasProvider = useProvider() !== undefined;
  const [token, setToken] = useState('');
  const [problem, setProblem] = useState('');
  const [isAsking, setAsking] = useState(false);
  const submit = async (): Promise<void> => {
    const claimed = personOf(token.trim().replace(/^Bearer\s+/i, ''));
    const reason = claimed === null ? texts.signIn.malformed : isOver(claimed) ? texts.signIn.expired : '';
    setProblem(reason);
    if (claimed === null || reason !== '') return;
    setAsking(true);
    try {
      // Only the server can map a token's claims to an identity; a provider's subject may even look like a DID.
      const person = { ...claimed, ...(await callerOf(claimed.token, texts.signIn.notTaken)) };
      setToken('');
      addPerson(person);
      onDone?.();
    } catch (error) {
      setProblem(error instanceof SignInProblem ? error.message : texts.signIn.serverAway);
    } finally {
      setAsking(false);
    }
  };
  return (
    <form
      className="sign-in stack"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <p className="quiet">{texts.signIn.explain}</p>
      {!hasProvider && (
        <p className="quiet">
          {texts.signIn.whereFrom} <code>npx blockwork token --as owner</code>
        </p>
      )}
      <label htmlFor={id}>{texts.signIn.token}</label>
      <textarea
        id={id}
        rows={4}
        required
        spellCheck={false}
        autoComplete="off"
        value={token}
        aria-describedby={`${id}-problem`}
        aria-invalid={problem !== ''}
        onChange={(event) => {
          setToken(event.target.value);
        }}
        // Removes line breaks, since a pasted token may be wrapped.
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
          event.preventDefault();
          event.currentTarget.form?.requestSubmit();
        }}
      />
      <p id={`${id}-problem`} className="problem" role="alert">
        {problem}
      </p>
      <button type="submit" className="primary" disabled={isAsking}>
        {texts.signIn.submit}
      </button>
    </form>
  );
}
