/** Messages from other instances that this one refused, with the reasons. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { POLL_MS } from '../api/query-client.js';
import { useClient } from '../api/server.js';
import { usePeople } from '../session/people.js';
import { texts } from '../texts.js';
import { countText, dateText } from '../ui/format.js';
import { Loaded } from '../ui/loaded.js';
import { Table } from '../ui/table.js';
import { RequestsNav } from './requests-screen.js';

export default function RefusedScreen(): ReactNode {
  const client = useClient();
  const { active } = usePeople();
  const query = useQuery({
    queryKey: ['refused', active?.did],
    refetchInterval: POLL_MS,
    queryFn: async ({ signal }) => (await client.routes.refusedMessages({ signal })).data,
  });
  return (
    <section className="screen">
      <h1>{texts.requests.title}</h1>
      <RequestsNav at="refused" />
      <Loaded query={query}>
        {({ counts, latest }) =>
          latest.length === 0 ? (
            <p className="card empty quiet">{texts.requests.refusedList.empty}</p>
          ) : (
            <>
              <p>
                {Object.entries(counts)
                  .map(([reason, count]) => `${reason}: ${countText(count)}`)
                  .join(' · ')}
              </p>
              <Table label={texts.requests.refused} columns={Object.values(texts.requests.refusedList.columns)}>
                {latest.map(({ at, reason, detail, instance, messageId }) => (
                  <tr key={`${messageId} ${at}`}>
                    <td>{dateText(at)}</td>
                    <td>{instance ?? texts.requests.refusedList.unknown}</td>
                    <td>{reason}</td>
                    <td>{detail}</td>
                  </tr>
                ))}
              </Table>
            </>
          )
        }
      </Loaded>
    </section>
  );
}
