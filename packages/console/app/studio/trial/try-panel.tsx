/** The policy tried in place: its page as any person of the trial, beside the blocks. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, type ReactNode } from 'react';
import { useClient } from '../../api/server.js';
import { PageOfPolicy } from '../../page/page-of-policy.js';
import { usePeople } from '../../session/people.js';
import { act, useActingIn } from '../../trial/acting.js';
import { Loaded } from '../../ui/loaded.js';
import { TextForm } from '../../ui/text-form.js';
import { useStudio } from '../studio-context.js';
import { studioTexts } from '../texts.js';

const texts = studioTexts.trial;

export function TryPanel({ status }: { readonly status: string }): ReactNode {
  const { policyId, definition } = useStudio();
  const client = useClient();
  const queries = useQueryClient();
  const selectId = useId();
  const owner = usePeople().active?.did ?? '';
  const acting = useActingIn(policyId, status);
  const query = useQuery({
    queryKey: ['trial', policyId, 'people'],
    queryFn: async ({ signal }) => (await client.routes.getTrial({ policyId, signal })).data.users,
  });
  const add = async (name: string): Promise<void> => {
    const { data: added } = await client.routes.addTrialUser({ policyId, body: name.trim() === '' ? {} : { name } });
    await queries.invalidateQueries({ queryKey: ['trial', policyId] });
    act({ policyId, did: added.did, name: added.name, owner });
  };
  return (
    <section className="properties try" aria-label={texts.title} tabIndex={0}>
      <h2>{texts.title}</h2>
      <Loaded query={query}>
        {(users) => (
          <>
            <div className="property">
              <label htmlFor={selectId}>{texts.as}</label>
              <select
                id={selectId}
                value={acting?.did ?? ''}
                onChange={(event) => {
                  const user = users.find(({ did }) => did === event.target.value);
                  act(user === undefined ? null : { policyId, did: user.did, name: user.name, owner });
                }}
              >
                <option value="">{texts.yourself}</option>
                {users.map(({ did, name }) => (
                  <option key={did} value={did}>
                    {name}
                  </option>
                ))}
              </select>
            </div>
            <TextForm
              key={users.length}
              label={texts.newPerson}
              button={texts.addPerson}
              onSubmit={(name) => void add(name)}
            />
          </>
        )}
      </Loaded>
      <div className="page-in-place">
        <PageOfPolicy id={policyId} status={status} config={definition.config} />
      </div>
    </section>
  );
}
