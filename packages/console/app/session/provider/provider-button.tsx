/** The button that signs in at the provider, with the error if that fails. */
import { useState, type ReactNode } from 'react';
import { useProvider } from '../../api/server.js';
import { texts } from '../../texts.js';
import { usePeople } from '../people.js';
import { hostOf } from './ask-provider.js';
import { beginSignIn } from './begin.js';

/** Renders nothing without a provider. `label` makes the label from the provider's host. */
export function ProviderButton({
  label,
  asSomebodyElse = false,
}: {
  readonly label: (host: string) => string;
  readonly asSomebodyElse?: boolean;
}): ReactNode {
  const provider = useProvider();
  const [problem, setProblem] = useState('');
  const [isLeaving, setIsLeaving] = useState(false);
  if (provider === undefined) return null;
  const leave = (): void => {
    setProblem('');
    setIsLeaving(true);
    beginSignIn(provider, asSomebodyElse).catch((error: unknown) => {
      setIsLeaving(false);
      setProblem(error instanceof Error ? error.message : String(error));
    });
  };
  return (
    <>
      <button type="button" className="primary" disabled={isLeaving} onClick={leave}>
        {label(hostOf(provider))}
      </button>
      <p className="problem" role="alert">
        {problem}
      </p>
    </>
  );
}

/** Prompts a person with a rejected token to sign in again, on the current screen. */
export function SignedOut(): ReactNode {
  const { active, refused } = usePeople();
  if (active === null || refused?.token !== active.token) return null;
  return (
    <div className="failure signed-out" role="alert">
      <p>{texts.provider.ended(active.name, refused.reason)}</p>
      {active.isFromProvider ? <ProviderButton label={texts.provider.again} /> : <p>{texts.signIn.again}</p>}
    </div>
  );
}
