/** The users of a trial: one click acts as any of them and opens their page. */
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useClient } from '../api/server.js';
import { usePeople } from '../session/people.js';
import { texts } from '../texts.js';
import { TextForm } from '../ui/text-form.js';
import type { TrialCardProps } from './act.js';
import { act as actAs, useActing } from './acting.js';

interface PeopleProps extends TrialCardProps {
  readonly users: readonly { readonly did: string; readonly name: string }[];
}

export function People({ id, users, isTrial, act }: PeopleProps): ReactNode {
  const client = useClient();
  const owner = usePeople().active?.did ?? '';
  const acting = useActing(id, owner);
  const [, navigate] = useLocation();
  return (
    <section className="card">
      <h2>{texts.trial.people}</h2>
      <p className="quiet">{texts.trial.peopleHint}</p>
      <ul className="plain rows">
        {users.map((user) => (
          <li key={user.did} className="spread">
            <span>
              <strong>{user.name}</strong>
              <br />
              <code className="clip" title={user.did}>
                {user.did}
              </code>
            </span>
            {isTrial && (
              <button
                type="button"
                aria-pressed={acting?.did === user.did}
                onClick={() => {
                  actAs({ policyId: id, did: user.did, name: user.name, owner });
                  navigate(`/policies/${encodeURIComponent(id)}/page`);
                }}
              >
                {texts.trial.beUser(user.name)}
              </button>
            )}
          </li>
        ))}
      </ul>
      {users.length === 0 && <p>{texts.trial.nobody}</p>}
      {isTrial && (
        <TextForm
          key={users.length}
          label={texts.trial.userName}
          button={texts.trial.addUser}
          onSubmit={(name) => {
            act(async () => client.routes.addTrialUser({ policyId: id, body: name.trim() === '' ? {} : { name } }));
          }}
        />
      )}
    </section>
  );
}
