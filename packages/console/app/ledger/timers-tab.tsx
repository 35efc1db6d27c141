/** The timers of a policy, next due first; in a dry run they can be fired manually. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useClient } from '../api/server.js';
import { texts } from '../texts.js';
import { Failure } from '../ui/failure.js';
import { dateText } from '../ui/format.js';
import { Loaded } from '../ui/loaded.js';

export default function TimersTab({ id, status }: { readonly id: string; readonly status: string }): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: ['timers', id],
    queryFn: async ({ signal }) =>
      (await client.routes.listTimers({ policyId: id, query: { pageIndex: 0, pageSize: 100 }, signal })).data,
    retry: false,
  });
  const running = useMutation({
    mutationFn: async (tag: string) => client.routes.runTimer({ policyId: id, tag }),
    onSettled: async () => queries.invalidateQueries({ queryKey: ['timers', id] }),
  });
  return (
    <Loaded query={query}>
      {(timers) => (
        <>
          {running.error !== null && <Failure error={running.error} />}
          {timers.length === 0 && <p className="quiet">{texts.timers.none}</p>}
          <ul className="plain">
            {timers.map(({ type, due, tag, input }, at) => (
              <li key={at} className="card spread">
                <span>
                  <strong>{texts.timers.types[type]}</strong> {tag} {input}
                </span>
                <time dateTime={due}>{dateText(due)}</time>
                {type === 'tick' && tag !== undefined && status === 'DRY-RUN' && (
                  <button
                    type="button"
                    disabled={running.isPending}
                    onClick={() => {
                      running.mutate(tag);
                    }}
                  >
                    {texts.timers.run}
                  </button>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </Loaded>
  );
}
