/** The slowest units of work of the responding node. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useClient } from '../api/server.js';
import { texts } from '../texts.js';
import { dateText, millisecondsText } from '../ui/format.js';
import { Loaded } from '../ui/loaded.js';
import { Table } from '../ui/table.js';
import { POLL_OPTIONS } from './poll-options.js';

export function SlowUnits(): ReactNode {
  const client = useClient();
  const query = useQuery({
    ...POLL_OPTIONS,
    queryKey: ['operator', 'slow'],
    queryFn: async ({ signal }) => (await client.routes.listSlowUnits({ signal })).data,
  });
  const words = texts.operator.slow;
  return (
    <section className="card">
      <h2>{words.title}</h2>
      <p className="quiet">{words.explain}</p>
      <Loaded query={query}>
        {(units) =>
          units.length === 0 ? (
            <p className="quiet">{words.empty}</p>
          ) : (
            <Table label={words.title} columns={Object.values(words.columns)}>
              {units.map(({ at, ms, cause, policyId, block, attempts, code }, row) => (
                <tr key={row}>
                  <th scope="row">{millisecondsText(ms)}</th>
                  <td>
                    <Link href={`/policies/${encodeURIComponent(policyId)}/live?find=${encodeURIComponent(block)}`}>
                      {block}
                    </Link>
                  </td>
                  <td>{words.causes[cause]}</td>
                  <td>
                    <time dateTime={at}>{dateText(at)}</time>
                  </td>
                  <td>{code === null ? words.attempts(attempts ?? 1) : <span className="problem">{code}</span>}</td>
                </tr>
              ))}
            </Table>
          )
        }
      </Loaded>
    </section>
  );
}
