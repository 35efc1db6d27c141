/** A hostile member of a running server: whatever it sends is answered, and what others have is as it was. */
import { fork, type ChildProcess } from 'node:child_process';
import { createSecretKey } from 'node:crypto';
import { once } from 'node:events';
import { signDevelopmentToken } from '@blockwork/http-koa';
import fc from 'fast-check';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { blockOf, soundPolicy } from '../mistakes/sound-policy.js';
import { buildProgram, programEnv } from '../support/build-program.js';
import { temporaryFolders } from '../support/folders.js';
import { times } from '../support/repetitions.js';
import { attacksOn, filledIn, type Attack, type Targets } from './support/attack/attacks.js';

const newFolder = temporaryFolders();
const secret = 'a secret of thirty-two characters';
const key = createSecretKey(Buffer.from(secret));
const tokenOf = (name: string, role: string): string =>
  `Bearer ${signDevelopmentToken(key, { did: `did:example:${name}`, role })}`;
const registry = () => tokenOf('registry', 'STANDARD_REGISTRY');
const alice = () => tokenOf('alice', 'USER');

let program = '';
beforeAll(async () => {
  program = await buildProgram(new URL('support/attack/attacked-process.ts', import.meta.url), await newFolder());
});

let child: ChildProcess | undefined;
afterEach(() => child?.kill('SIGKILL'));

/** Starts the server over the folder; gives its address. */
async function serve(folder: string): Promise<string> {
  child = fork(program, [folder, secret], { env: programEnv });
  const [url] = (await once(child, 'message')) as [string];
  return url;
}

async function stop(): Promise<void> {
  if (child === undefined) return;
  const ended = once(child, 'exit');
  child.send('stop');
  expect(await ended).toEqual([0, null]);
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly mayRetry: boolean;
}

async function ask(url: string, method: string, path: string, as: string, body?: unknown): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: as, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { status, headers } = response;
  return { status, text: await response.text(), mayRetry: headers.has('retry-after') };
}

async function taken(...asked: Parameters<typeof ask>): Promise<Record<string, unknown>> {
  const { status, text } = await ask(...asked);
  expect(status, text).toBeLessThan(300);
  return (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
}

const report = (site: string) => ({ document: { site, kilowattHours: 12 }, ref: null });
const base = '/api/v1/policies';

async function imported(url: string, name: string, as: string): Promise<string> {
  const answer = await taken(url, 'POST', `${base}/import/file`, as, { ...soundPolicy(), name });
  return (answer as { policy: { id: string } }).policy.id;
}

/** Alice's reports as she sees them, and the policy as its owner does. */
async function whatIsOf(url: string, policyId: string): Promise<unknown> {
  const seen = [
    ['documents', `${base}/${policyId}/documents`],
    ['definition', `${base}/${policyId}/definition`],
    ['policy', `${base}/${policyId}`],
  ] as const;
  const all = await Promise.all(seen.map(async ([name, path]) => [name, await taken(url, 'GET', path, registry())]));
  return Object.fromEntries(all) as unknown;
}

const operations = [
  { op: 'setText', name: 'description', value: 'Edited' },
  { op: 'setOption', block: 'monthly', path: '/period', value: 'weekly' },
  { op: 'setTag', block: 'wait', tag: 'pause' },
  { op: 'removeBlock', block: 'apologize' },
  { op: 'addEntry', list: 'policyRoles', value: 'Auditor' },
  { op: 'setEntry', list: 'tokens', entry: '0.0.5001', value: { tokenId: '0.0.5001', tokenName: 'S', decimals: 2 } },
  { op: 'replaceList', list: 'categories', value: ['A'] },
];

function targetsOf(honest: string, own: readonly string[]): Targets {
  const sound = soundPolicy();
  const hostile = { ...sound, name: 'Hostile' };
  const script = { ...soundPolicy(), name: 'Scripted' };
  blockOf(script, 'calculate')['expression'] = 'throw new Error(String(documents));';
  const sends = [
    report('Field'),
    { role: 'Producer' },
    { group: 'Crew', label: 'Ours' },
    { document: { id: 'x', option: { status: 'Waiting' } }, tag: 'Approve' },
    { filterValue: 'Roof' },
    { itemsPerPage: 5, page: 1 },
  ];
  return {
    params: {
      policyId: [honest, ...own, ...own],
      tag: ['choose_role', 'report', 'decide', 'all_reports', 'by_site', 'pages', 'monthly', 'mint', 'calculate'],
      documentId: ['1', 'x'],
      tokenId: ['0.0.5001'],
      iri: ['#5a1e0000-0000-4000-8000-000000000001'],
      did: ['did:example:alice', 'did:example:mallory'],
      entryId: ['000000000001', '000000000002'],
    },
    bodies: {
      importPolicyFile: [hostile, script],
      createPolicy: [{ name: 'New' }],
      checkDefinition: [hostile],
      replaceDefinition: [hostile, script],
      replacePolicyFile: [hostile, script],
      editPolicy: operations.map((each) => ({ operations: [each] })),
      checkPolicy: [{ operations }],
      sendToBlock: sends,
      sendToBlockByTag: sends,
      publishPolicy: [{ policyVersion: '1.0.0' }],
      discontinuePolicy: [{}, { date: '2030-01-01T00:00:00.000Z' }],
      switchGroup: [{ uuid: null }],
      addTrialUser: [{}],
      makeSavepoint: [{ name: 'Now' }],
      registerWebhook: [{ url: 'https://hooks.example.org/x', events: ['document'] }],
      sendExternalDataToBlock: [{ owner: 'did:example:mallory', document: { type: ['VerifiableCredential'] } }],
    },
    callers: ['mallory', 'mallory', 'mallory', 'mallory', 'eve', 'eve', 'eve', 'nobody', 'forger'],
  };
}

const tokens: Readonly<Record<string, () => string>> = {
  mallory: () => tokenOf('mallory', 'STANDARD_REGISTRY'),
  eve: () => tokenOf('eve', 'USER'),
  nobody: () => '',
  forger: () => `${tokenOf('alice', 'USER').slice(0, -4)}AAAA`,
};

/** Sends it as often as it says, with `ids` from earlier answers where it has none of its own. */
async function attack(url: string, each: Attack, ids: readonly string[]): Promise<Answer[]> {
  const { method, as, type, together } = each;
  const path = filledIn(each.path, ids);
  const body = each.body === undefined ? undefined : filledIn(each.body, ids);
  const headers = { authorization: tokens[as]?.() ?? '', ...(type !== '' && { 'content-type': type }) };
  const one = async (): Promise<Answer> => {
    const response = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body }) });
    const { status, headers: answered } = response;
    return { status, text: await response.text(), mayRetry: answered.has('retry-after') };
  };
  return Promise.all(Array.from({ length: together }, one));
}

/** Ids in an answer: of policies, blocks, documents, savepoints, webhooks. */
const idsIn = (text: string): string[] =>
  [...text.slice(0, 20_000).matchAll(/"\w*[iI]d":"([\w.:#-]{4,100})"/g)].map(([, id = '']) => id);

const isFault = ({ status, text, mayRetry }: Answer): boolean =>
  (status >= 500 && !(status === 503 && mayRetry)) || /\\n +at |node:internal|node_modules/.test(text);

it('is neither ended nor made to fail by odd requests to any operation, and what others have stays as it was', async () => {
  const folder = await newFolder();
  let url = await serve(folder);
  const honest = await imported(url, 'Honest', registry());
  await taken(url, 'PUT', `${base}/${honest}/publish`, registry(), { policyVersion: '1.0.0' });
  const send = (tag: string, body: unknown) => taken(url, 'POST', `${base}/${honest}/tag/${tag}/blocks`, alice(), body);
  await send('choose_role', { group: 'Crew', label: 'Ours' });
  await send('report', report('Roof'));
  const mallory = tokens['mallory']?.() ?? '';
  const own = [await imported(url, 'Draft', mallory), await imported(url, 'Trial', mallory)];
  await taken(url, 'PUT', `${base}/${String(own[1])}/dry-run`, mallory);
  const before = await whatIsOf(url, honest);

  const ids = new Set<string>();
  const statuses = new Map<number, number>();
  const attacks = fc.sample(attacksOn(targetsOf(honest, own)), times(80, 1_500, 20_000));
  for (const each of attacks) {
    for (const answer of await attack(url, each, [...ids])) {
      for (const id of idsIn(answer.text)) ids.add(id);
      const said = { ...each, body: each.body?.slice(0, 2_000), ...answer, text: answer.text.slice(0, 2_000) };
      expect(isFault(answer), JSON.stringify(said)).toBe(false);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    }
  }
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  // The attack got somewhere, and was refused elsewhere.
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 401, 404, 422]));

  expect(await whatIsOf(url, honest)).toEqual(before);
  await stop();
  url = await serve(folder);
  expect(await whatIsOf(url, honest)).toEqual(before);
  await send('report', report('Shed'));
  await stop();
});
