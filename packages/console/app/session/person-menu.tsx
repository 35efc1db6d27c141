/** Who one is, and switching to somebody else. */
import { useRef, type ReactNode } from 'react';
import { liveStore, queryClient } from '../api/query-client.js';
import { texts } from '../texts.js';
import { actAs, removePerson, usePeople, type Person } from './people.js';
import { SignIn } from './sign-in.js';

/** What one person was shown is not for the next. */
function forget(): void {
  queryClient.clear();
  liveStore.clear();
}

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
            forget();
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

const PeopleList = ({ all }: { readonly all: readonly Person[] }): ReactNode => (
  <>
    <h2>{texts.signIn.people}</h2>
    <ul className="plain">
      {all.map(({ did, name }) => (
        <li key={did} className="spread">
          <span>
            <strong>{name}</strong> <code>{did}</code>
          </span>
          <button
            type="button"
            onClick={() => {
              removePerson(did);
              forget();
            }}
          >
            {texts.signIn.signOut}
          </button>
        </li>
      ))}
    </ul>
  </>
);
