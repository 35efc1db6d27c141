/** Inspects the data folder of a server, even a running one: everything is read from an export of its store. */
import { exportStore } from '@blockwork/store-lowdb';
import { isObject } from '@blockwork/core/records';
import { storeIn } from '../store/copy/store-place.js';
import type { Inspection } from './summary.js';

interface Line {
  readonly kind: string;
  readonly partition: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** `folder`: a data folder, or the folder of a store itself. */
export async function inspectFolder(folder: string): Promise<Inspection> {
  const counts = new Map<string, number>();
  const logLines: Line[] = [];
  let rest = '';
  const take = (text: string): void => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const read = lineOf(line);
      if (read === undefined) continue;
      const key = `${read.kind}/${read.partition}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      if (['policy', 'request', 'timer'].includes(read.kind)) logLines.push(read);
    }
  };
  await exportStore({ folder: await storeIn(folder), write: async (text) => take(text) });
  return summary(folder, logLines, counts);
}

function lineOf(text: string): Line | undefined {
  const line: unknown = JSON.parse(text);
  if (!isObject(line) || typeof line['kind'] !== 'string' || !isObject(line['value'])) return undefined;
  return { kind: line['kind'], partition: String(line['partition']), value: line['value'] };
}

function summary(source: string, lines: readonly Line[], counts: ReadonlyMap<string, number>): Inspection {
  const of = (kind: string): Readonly<Record<string, unknown>>[] =>
    lines.filter((line) => line.kind === kind).map(({ value }) => value);
  const all = (kind: string): number =>
    [...counts].reduce((sum, [key, count]) => sum + (key.startsWith(`${kind}/`) ? count : 0), 0);
  return {
    source,
    policies: of('policy').map(({ id, name, status }) => ({
      id: String(id),
      name: String(name),
      status: String(status),
      units: counts.get(`journal/${String(id)}`) ?? 0,
      documents: counts.get(`document/${String(id)}`) ?? 0,
    })),
    requests: of('request')
      .filter(({ status }) => status === 'NEW')
      .map(({ messageId, status, policyId }) => ({
        messageId: String(messageId),
        status: String(status),
        policyId: String(policyId),
      })),
    nodes: [],
    timers: of('timer')
      .map(({ policyId, due, type }) => ({ policyId: String(policyId), due: moment(due), type: String(type) }))
      .sort((a, b) => (a.due < b.due ? -1 : 1)),
    untoldTimers: [],
    waiting: { messages: all('outbox'), effects: all('settlement') },
    lanes: null,
    stuck: null,
    ready: null,
  };
}

const moment = (due: unknown): string => (typeof due === 'number' ? new Date(due).toISOString() : String(due));
