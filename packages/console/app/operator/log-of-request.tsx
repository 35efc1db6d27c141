/** The latest log lines of the responding node: warnings and failures, or everything about one request. */
import type { ReactNode } from 'react';
import { useClient } from '../api/server.js';
import { usePages } from '../api/use-pages.js';
import { useAddressText } from '../shell/hash-location.js';
import { texts } from '../texts.js';
import { Failure } from '../ui/failure.js';
import { dateText, valueText } from '../ui/format.js';
import { Loading } from '../ui/loading.js';
import { MoreButton } from '../ui/more-button.js';
import { POLL_OPTIONS } from './poll-options.js';

const marks = { info: 'mark', warn: 'mark warning', error: 'mark error' } as const;

export function LogOfRequest({ isKept }: { readonly isKept: boolean }): ReactNode {
  const words = texts.operator.log;
  return (
    <section className="card">
      <h2 id="log">{words.title}</h2>
      {isKept ? <Lines /> : <p>{words.notKept}</p>}
    </section>
  );
}

/** URL parameter with the number of loaded log pages. */
const LINES = 'lines';

function Lines(): ReactNode {
  const client = useClient();
  const words = texts.operator.log;
  const [typed, setRequest] = useAddressText('request', LINES);
  const requestId = typed.trim().slice(0, 64);
  const { query, items, more } = usePages(
    ['operator', 'log', requestId],
    async (page, signal) =>
      client.routes.listLogLines({
        query: { ...page, ...(requestId === '' ? { level: 'warn' } : { requestId }) },
        signal,
      }),
    { ...POLL_OPTIONS, inAddress: LINES },
  );
  return (
    <>
      <p className="quiet">{words.explain}</p>
      <input
        type="search"
        aria-label={words.request}
        placeholder={words.request}
        value={typed}
        onChange={(event) => {
          setRequest(event.target.value);
        }}
      />
      {query.error !== null && items.length === 0 && (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.isPending && <Loading />}
      {query.isSuccess && items.length === 0 && (
        <p className="quiet">{requestId === '' ? words.noFailures : words.empty}</p>
      )}
      <ol className="plain log-lines" aria-label={words.title}>
        {items.map(({ at, level, message, requestId: id, fields }, line) => (
          <li key={line}>
            <span className={marks[level]}>{words.levels[level]}</span> <time dateTime={at}>{dateText(at)}</time>{' '}
            {message}
            <p className="quiet">
              {Object.entries({ ...fields, ...(id !== null && { requestId: id }) })
                .map(([name, value]) => `${name}: ${valueText(value)}`)
                .join(' · ')}
            </p>
          </li>
        ))}
      </ol>
      <MoreButton query={query} more={more} />
    </>
  );
}
