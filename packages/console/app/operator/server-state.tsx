/** The parts of the server's state. */
import type { ReactNode } from 'react';
import type { Client } from '@blockwork/client';
import { texts } from '../texts.js';
import { countText, dateText, spanText } from '../ui/format.js';
import { Table } from '../ui/table.js';

type Ready = Awaited<ReturnType<Client['routes']['ready']>>['data'];
type Operation = Awaited<ReturnType<Client['operation']>>;
type Node = Awaited<ReturnType<Client['nodes']>>[number];

/** `stuck`: the failing work, if the reader may know of it. */
export function Readiness({
  state: { link },
  stuck,
}: {
  readonly state: Ready;
  readonly stuck: Operation['backlog']['stuck'] | undefined;
}): ReactNode {
  const failing = Object.entries(stuck ?? {});
  return (
    <>
      <p>
        <span className="mark">{texts.operator.ready}</span> {texts.operator.readyMeans}
      </p>
      <dl>
        <dt>{texts.operator.link}</dt>
        <dd>{texts.operator.linkStates[link]}</dd>
        {stuck !== undefined && (
          <>
            <dt>{texts.operator.stuck}</dt>
            <dd>
              {failing.length === 0
                ? texts.operator.nothingStuck
                : failing.map(([work, count]) => texts.operator.stuckOf(work, count)).join(', ')}
            </dd>
          </>
        )}
      </dl>
    </>
  );
}

export const Store = ({ state: { version, store } }: { readonly state: Operation }): ReactNode => (
  <>
    <p>{store.durable ? texts.operator.durable : texts.operator.notDurable}</p>
    <p>{store.shared ? texts.operator.shared : texts.operator.alone}</p>
    <dl>
      <dt>{texts.operator.version}</dt>
      <dd>{version}</dd>
    </dl>
  </>
);

export function Backlog({ state: { backlog } }: { readonly state: Operation }): ReactNode {
  const { units, outbox, settlements, requests, timers, deadLetters } = backlog;
  const { rows, columns } = texts.operator;
  const counted: readonly (readonly [string, number | null, number])[] = [
    [rows.units, units.waiting, 0],
    [rows.lanes, units.lanes, 0],
    [rows.outbox, outbox.messages, outbox.oldestMs],
    [rows.settlements, settlements, 0],
    [rows.requests, requests.open, requests.oldestMs],
    // Overdue timers are not counted; only the longest delay is known.
    [rows.timers, timers.lateMs > 0 ? null : 0, timers.lateMs],
    [rows.deadLetters, deadLetters, 0],
  ];
  return (
    <Table label={texts.operator.waiting} columns={[columns.what, columns.count, columns.oldest]}>
      {counted.map(([what, count, oldestMs]) => (
        <tr key={what}>
          <th scope="row">{what}</th>
          <td>{count === null ? '' : countText(count)}</td>
          <td>{oldestMs > 0 ? spanText(oldestMs) : ''}</td>
        </tr>
      ))}
    </Table>
  );
}

export function Nodes({ nodes }: { readonly nodes: readonly Node[] }): ReactNode {
  const { nodeColumns, unnamed, thisOne, noNodes } = texts.operator;
  if (nodes.length === 0) return <p className="quiet">{noNodes}</p>;
  return (
    <Table label={texts.operator.nodes} columns={Object.values(nodeColumns)}>
      {nodes.map(({ id, name, version, since, leases, isThis }) => (
        <tr key={id}>
          <th scope="row">
            {name === '' ? unnamed : name} {isThis && <span className="mark">{thisOne}</span>}
          </th>
          <td>{version}</td>
          <td>
            <time dateTime={since}>{dateText(since)}</time>
          </td>
          <td>{countText(leases)}</td>
        </tr>
      ))}
    </Table>
  );
}

export const Limits = ({ state: { limits } }: { readonly state: Operation }): ReactNode => (
  <Table label={texts.operator.limits} columns={[texts.operator.limit, texts.operator.value]}>
    {Object.entries(limits).map(([name, limit]) => (
      <tr key={name}>
        <td>
          <code>{name}</code>
        </td>
        <td>{limit === null ? texts.operator.unlimited : countText(limit)}</td>
      </tr>
    ))}
  </Table>
);
