/** `blockwork ledger`: what an operator is told about the external ledger of a server, and what resuming does. */
import { createHash, createSecretKey } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  createEngine,
  MemoryLedger,
  type Caller,
  type LedgerComparison,
  type LedgerOperation,
  type LedgerStatus,
  type PolicyEngine,
} from '@blockwork/core';
import { createPolicyServer, signDevelopmentToken, type PolicyServer } from '@blockwork/http-koa';
import { hederaDids } from '@blockwork/ledger-hedera';
import { block } from '@blockwork/testing';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { temporaryFolders } from '../../../test/support/folders.js';
import { run, type Ended } from './support/run.js';

const newFolder = temporaryFolders();
const secret = createSecretKey(Buffer.alloc(32, 9));
const registry: Caller = { did: 'did:example:registry', role: 'STANDARD_REGISTRY' };
const other: Caller = { did: 'did:example:other', role: 'STANDARD_REGISTRY' };
const operator: Caller = { did: 'did:example:operator', role: 'OPERATOR', permissions: ['INSTANCE_OPERATE'] };

const status: LedgerStatus = {
  network: 'testnet',
  account: '0.0.1234',
  currency: 'HBAR',
  balance: '17.5',
  readableUpTo: '2026-01-01T00:00:00.000Z',
  pause: null,
  costs: { today: '1.25', reserved: '0.5', budget: '10', total: '80' },
};
const difference = {
  kind: 'supply',
  subject: '0.0.5001',
  book: '125',
  ledger: 'x'.repeat(200),
  remedy: 'Look for the mints.',
} as const;

let comparison: Omit<LedgerComparison, 'policyId'>;
let state: LedgerStatus;
let resumed: (string | null)[];
let [url, policyId] = ['', ''];
let engine: PolicyEngine;
let server: PolicyServer;

class AskedLedger extends MemoryLedger {
  override readonly operation: LedgerOperation = {
    status: () => Promise.resolve(state),
    compare: (id) => Promise.resolve({ ...comparison, policyId: id }),
    resume: ({ allowance }) => Promise.resolve(void resumed.push(allowance)),
  };
}

beforeEach(async () => {
  [state, resumed] = [status, []];
  comparison = {
    at: '2026-01-01T00:00:00.000Z',
    compared: { tokens: 1, balances: 2, serials: 0, topics: 1, messages: 3 },
    differences: [],
    notes: [],
  };
  engine = createEngine({ ledger: new AskedLedger() });
  server = createPolicyServer(engine, { auth: { secret } });
  ({ url } = await server.listen({ port: 0 }));
  const config = block('interfaceContainerBlock', '', { permissions: ['ANY_ROLE'] });
  policyId = (await engine.importPolicy(registry, { name: 'Registry', policyTag: 'registry', config })).policy.id;
  await engine.lifecycle.publish(registry, policyId, '1.0.0');
  await engine.importPolicy(registry, { name: 'Draft', policyTag: 'draft', config });
  const foreign = await engine.importPolicy(other, { name: 'Other', policyTag: 'other', config });
  await engine.lifecycle.publish(other, foreign.policy.id, '1.0.0');
});
afterEach(async () => {
  await server.close();
  await engine.close();
});

const blockwork = (caller: Caller, ...line: string[]): Promise<Ended> =>
  run(line, { env: { BLOCKWORK_TOKEN: signDevelopmentToken(secret, caller) } });

it('the status tells costs, budget and balance', async () => {
  await engine.program.ledger.idle();
  expect(await blockwork(operator, 'ledger', 'status', url)).toEqual({
    code: 0,
    err: '',
    out: [
      'testnet, account 0.0.1234 with 17.5 HBAR',
      'Readable up to 2026-01-01T00:00:00.000Z',
      'Fees today: 1.25 HBAR, up to 0.5 for transactions under way, of 10 allowed; in all: 80 HBAR',
      'Effects to settle: 0',
      '',
    ].join('\n'),
  });
});

it('the status of a ledger that pauses says why and what to do, and is not 0', async () => {
  state = {
    ...status,
    balance: null,
    readableUpTo: null,
    pause: { reason: 'The budget is used up.', remedy: 'Allow more.' },
    costs: { ...status.costs, reserved: '0', budget: null },
  };
  const { code, out } = await blockwork(operator, 'ledger', 'status', url);
  expect(code).toBe(1);
  expect(out).toContain('testnet, account 0.0.1234\nThe ledger cannot be read now.\nFees today: 1.25 HBAR, no daily');
  expect(out).toContain('PAUSED: The budget is used up.\n  Allow more.\n');
});

it('a check compares the published policies of the caller, and finds nothing', async () => {
  expect(await blockwork(registry, 'ledger', 'check', url)).toEqual({
    code: 0,
    err: '',
    out: `Policy ${policyId}, up to 2026-01-01T00:00:00.000Z: 1 tokens, 2 balances, 1 topics, 3 messages; differences: 0\n`,
  });
});

it('a check tells by which id a policy is read that was published', async () => {
  comparison = { ...comparison, publishedAs: '1767225600.000000001' };
  const { out } = await blockwork(registry, 'ledger', 'check', url);
  const id = '1767225600.000000001';
  expect(out).toContain(`differences: 0\n  published as ${id}: blockwork ledger fetch ${id} --network <network>\n`);
});

it('a check lists each difference with what to do, and ends with 1', async () => {
  comparison = { ...comparison, differences: [difference], notes: ['2 effects wait.'] };
  const { code, out } = await blockwork(registry, 'ledger', 'check', url, '--policy', policyId);
  expect(code).toBe(1);
  expect(out).toContain(
    `differences: 1\n  supply  0.0.5001\n    book:   125\n    ledger: ${'x'.repeat(160)} ...\n    Look for the mints.\n  note: 2 effects wait.\n`,
  );
  const json = await blockwork(registry, 'ledger', 'check', url, '--json');
  expect({ code: json.code, value: JSON.parse(json.out) as unknown }).toEqual({
    code: 1,
    value: [{ ...comparison, policyId }],
  });
});

it('a check of nothing is no success', async () => {
  expect(await blockwork({ ...registry, did: 'did:example:nobody' }, 'ledger', 'check', url)).toMatchObject({
    code: 4,
    err: expect.stringContaining('there is nothing to compare') as unknown,
  });
  expect(await blockwork(other, 'ledger', 'check', url, '--policy', policyId)).toMatchObject({ code: 4 });
});

it('resuming allows more for today, and is for operators', async () => {
  expect(await blockwork(operator, 'ledger', 'resume', url, '--allow', '2.5')).toMatchObject({ code: 0 });
  expect(await blockwork(operator, 'ledger', 'resume', url)).toMatchObject({ code: 0 });
  expect(resumed).toEqual(['2.5', null]);
  expect(await blockwork(operator, 'ledger', 'resume', url, '--allow', 'all')).toMatchObject({ code: 4 });
  expect(await blockwork(registry, 'ledger', 'resume', url)).toMatchObject({ code: 4 });
  expect(await run(['ledger', 'status', url])).toMatchObject({ code: 2 });
  expect(resumed).toHaveLength(2);
});

/** A mirror and a gateway in one, with one message and one file of a single block. */
async function network(content: Buffer, about: object | ((cid: string) => object) = {}) {
  const digest = createHash('sha256').update(content).digest();
  const bits = [1, 0x55, 0x12, 32, ...digest].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const letters = 'abcdefghijklmnopqrstuvwxyz234567';
  const base32 = (bits.match(/.{1,5}/g) ?? []).map((five) => letters[Number.parseInt(five.padEnd(5, '0'), 2)] ?? '');
  const cid = `b${base32.join('')}`;
  const message = {
    type: 'Instance-Policy',
    action: 'publish-policy',
    name: '../Solar roofs',
    version: '2.0.0',
    cid,
    ...(typeof about === 'function' ? about(cid) : about),
  };
  const row = {
    topic_id: '0.0.5',
    consensus_timestamp: '1706823227.586179534',
    payer_account_id: '0.0.9',
    sequence_number: 1,
    message: Buffer.from(JSON.stringify({ ...message, owner: 'did:hedera:testnet:a_0.0.1' })).toString('base64'),
  };
  const answers = new Map<string, string | Buffer>([
    [`/api/v1/topics/messages/${row.consensus_timestamp}`, JSON.stringify(row)],
    [`/api/v1/topics/0.0.5/messages?limit=100&order=asc&sequencenumber=gt:0`, JSON.stringify({ messages: [row] })],
    [`/ipfs/${cid}?format=raw`, content],
  ]);
  const net = createServer((request, reply) => {
    const answer = answers.get(request.url ?? '');
    reply.writeHead(answer === undefined ? 404 : 200).end(answer);
  });
  await new Promise<void>((resolve) => net.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    net.closeAllConnections();
    net.close();
  });
  return `http://127.0.0.1:${String((net.address() as AddressInfo).port)}`;
}

it('the key of a did:hedera is read from its topic', async () => {
  const { did, document } = hederaDids({ network: 'testnet', topic: '0.0.5' }).identityOf(new Uint8Array(32).fill(7));
  const at = await network(Buffer.from(JSON.stringify(document)), { type: 'DID-Document', did });
  const line = ['ledger', 'did', did, '--mirror', at, '--gateway', at];
  const { code, out, err } = await run([...line, '--json']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(JSON.parse(out)).toMatchObject({ did, document, payer: '0.0.9', messageId: '1706823227.586179534' });
  expect((await run(line)).out).toContain('its hash is in the DID');
  const other = did.replace('_0.0.5', '_0.0.6');
  expect(await run(['ledger', 'did', other, '--mirror', at, '--gateway', at])).toMatchObject({ code: 4, out: '' });
  expect((await run(['ledger', 'did', 'did:key:z6Mk', '--mirror', at])).err).toContain('is no did:hedera');
});

it('a published policy is fetched by the id of its message, and never over another file', async () => {
  const content = Buffer.from('an archive');
  const at = await network(content);
  const file = join(await newFolder(), 'solar.policy');
  const line = ['ledger', 'fetch', '1706823227.586179534', file, '--mirror', at, '--gateway', at];
  const { code, out, err } = await run([...line, '--json']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(JSON.parse(out)).toMatchObject({ kind: 'policy', name: '../Solar roofs', payer: '0.0.9', bytes: 10, file });
  expect(await readFile(file)).toEqual(content);
  expect((await run(line)).out).toContain(`Wrote 10 bytes to ${file}: the policy "../Solar roofs" 2.0.0\n`);
});

it('a published schema is fetched as one that "schemas import" takes', async () => {
  // One file that is both, since this gateway has one.
  const both = { $id: '#well&1.0.0', type: 'object', properties: { depth: { type: 'number' } }, '@context': {} };
  const at = await network(Buffer.from(JSON.stringify(both)), (cid) => ({
    ...{ type: 'Schema', action: 'publish-schema', name: 'Well', uuid: 'well', version: '1.0.0' },
    ...{ document_cid: cid, context_cid: cid },
  }));
  const folder = await newFolder();
  const file = join(folder, 'well.schema.json');
  const line = ['ledger', 'fetch', '1706823227.586179534', file, '--mirror', at, '--gateway', at];
  expect((await run(line)).out).toMatch(/: the schema "Well" 1\.0\.0\n.*\n {2}b\w+ and b\w+ read from/);
  await run(['new', join(folder, 'sunlight')]);
  const policy = join(folder, 'sunlight', 'sunlight.policy.json');
  const imported = await run(['schemas', 'import', policy, file]);
  expect(imported).toMatchObject({ code: 0, out: `Well: added\n  + depth\nChanged ${policy}.\n` });
  const { schemas } = JSON.parse(await readFile(policy, 'utf8')) as { schemas: { iri?: string; document: object }[] };
  expect(schemas.find(({ iri }) => iri === '#well&1.0.0')?.document).toEqual(both);
  expect((await run(['schemas', 'import', policy, file])).out).toBe('The schemas are the same.\n');
  await writeFile(file, '{"document": {}}');
  expect(await run(['schemas', 'import', policy, file])).toMatchObject({
    code: 3,
    err: expect.stringContaining('is no schema: it has no iri or no document.') as unknown,
  });
  await writeFile(file, ' '.repeat(8 * 2 ** 20 + 1));
  expect((await run(['schemas', 'import', policy, file])).err).toContain('has more than 8388608 bytes');
});

it.each([
  [['1706823227.000000000'], 4, 'mainnet has no message'],
  [['one'], 4, 'is not the id of a message'],
  [['1706823227.586179534', '--network', 'mine'], 4, ''],
])('fetching %s is refused', async (line, code, reason) => {
  const at = await network(Buffer.from('another'));
  const ended = await run(['ledger', 'fetch', ...line, '--mirror', at, '--gateway', 'http://127.0.0.1:9']);
  expect(ended.code).toBe(code);
  expect(ended.err).toContain(reason);
});
