/**
 * A program that runs a cluster node: an engine that accepts sends over HTTP, and settles effects on a ledger over
 * HTTP.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { createEngine, isBlockworkError, SeededKeys, type Ledger } from '@blockwork/core';
import { openPostgresStore } from '../../src/index.js';
import { blocks, owner } from './cluster-policy.js';

interface Settings {
  readonly address: string;
  /** The URL where effects are settled; absent for no ledger. */
  readonly ledger?: string;
  readonly leaseMs?: number;
  /** Milliseconds after which the database takes a lock from a node that stands still. */
  readonly lockIdleMs?: number;
}
const { address, ledger, leaseMs, lockIdleMs } = JSON.parse(process.argv[2] ?? '{}') as Settings;

const remoteLedger = (url: string): Ledger => ({
  check: () => Promise.resolve(),
  async settle({ id, policyId }) {
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify({ id, policyId }) });
    if (!answer.ok) throw new Error(`the ledger answered ${String(answer.status)}`);
  },
  close: () => Promise.resolve(),
});

const stats = { units: 0, attempts: 0 };
const engine = createEngine({
  store: await openPostgresStore({
    ...{ address, patienceMs: 2000, connectMs: 60_000, readConnections: 4 },
    ...(lockIdleMs !== undefined && { lockIdleMs }),
  }),
  blocks,
  keys: new SeededKeys(Buffer.alloc(32, 7)),
  ...(ledger !== undefined && { ledger: remoteLedger(ledger) }),
  ...(leaseMs !== undefined && { limits: { leaseMs } }),
  inspector: (inspection) => {
    if (inspection.type !== 'unit.committed') return;
    stats.units += 1;
    stats.attempts += inspection.attempts;
  },
});

interface Send {
  readonly policyId: string;
  readonly n: number;
  readonly key?: string;
}

async function answerTo(send: Send): Promise<{ status: number; body: unknown }> {
  try {
    const { policyId, n, key } = send;
    const body = await engine.sendToBlock(owner, policyId, { tag: 'account' }, { n }, { idempotencyKey: key });
    return { status: 200, body };
  } catch (error) {
    const { status, code, message } = isBlockworkError(error)
      ? error
      : { status: 500, code: 'INTERNAL', message: String(error) };
    return { status, body: { code, message } };
  }
}

const server = createServer((request, response) => {
  void (async () => {
    const { status, body } =
      request.url === '/stats' ? { status: 200, body: stats } : await answerTo((await json(request)) as Send);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  })().catch(() => response.destroy());
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.on('disconnect', () => process.exit());
