/** The active person, and a menu to switch to another one. */
import { useRef, type ReactNode } from 'react';
import { texts } from '../texts.js';
import { useProvider } from '../api/server.js';
import { notify } from './notice.js';
import { actAs, removePerson, usePeople, type Person } from './people.js';
import { hostOf } from './provider/ask-provider.js';
import { endSession } from './provider/begin.js';
import { SignIn } from './sign-in.js';

export function PersonMenu(): ReactNode {
  const { all, active } = usePeople();
  const dialog = useRef<HTMLDialogElement>(null);
  if (active === null) return null;
  return (
    <div className="person-menu">
      <label>
        <span className="quiet">{texts.signIn.actingAs}</span>
        <select
          value={active.did}
          onChange={(event) => {
            actAs(event.target.value);
          }}
        >
          {all.map(({ did, name, role }) => (
            <option key={did} value={did}>
              {role === '' ? name : `${name} (${role})`}
            </option>
          ))}
        </select>
      </label>
      <button type="button" onClick={() => dialog.current?.showModal()}>
        {texts.signIn.people}
      </button>
      <dialog ref={dialog} aria-label={texts.signIn.people}>
        <PeopleList all={all} />
        <h2>{texts.signIn.addPerson}</h2>
        <SignIn onDone={() => dialog.current?.close()} />
        <button type="button" onClick={() => dialog.current?.close()}>
          {texts.close}
        </button>
      </dialog>
    </div>
  );
}

function PeopleList({ all }: { readonly all: readonly Person[] }): ReactNode {
  const provider = useProvider();
  const signOut = ({ did, isFromProvider }: Person): void => {
    removePerson(did);
    if (!isFromProvider || provider === undefined) return;
    void endSession(provider).then((isAsked) => {
      if (!isAsked) notify(texts.provider.stillThere(hostOf(provider)));
    });
  };
  return (
    <>
      <h2>{texts.signIn.people}</h2>
      <ul className="plain">
        {all.map((person) => (
          <li key={person.did} className="spread">
            <span>
              <strong>{person.name}</strong> <code>{person.did}</code>
            </span>
            <button
              type="button"
              onClick={() => {
                signOut(person);
              }}
            >
              {person.isFromProvider ? texts.provider.signOut : texts.signIn.signOut}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
