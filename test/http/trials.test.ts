/** Trials over HTTP, with the client: the owner as somebody else, savepoints, and a recording that passes as a test. */
import { readFileSync } from 'node:fs';
import { standardBlocks } from '@blockwork/blocks';
import { BlockworkApiError, createClient, type Client } from '@blockwork/client';
import { createEngine, type Caller } from '@blockwork/core';
import { createPolicyServer, signDevelopmentToken } from '@blockwork/http-koa';
import { describeFailures, openScenarioWorld, runScenario } from '@blockwork/explorer';
import { createSecretKey } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';

const sunlight = JSON.parse(
  readFileSync(new URL('../../examples/test-a-policy/sunlight.policy.json', import.meta.url), 'utf8'),
) as object;
const secret = createSecretKey(Buffer.alloc(32, 9));
const owner: Caller = { did: 'did:example:registry', username: 'registry', role: 'STANDARD_REGISTRY' };
const rival: Caller = { did: 'did:example:rival', role: 'STANDARD_REGISTRY' };

let url = '';
let policyId = '';
const engine = createEngine({ blocks: standardBlocks() });
const server = createPolicyServer(engine, { auth: { secret } });

beforeAll(async () => {
  ({ url } = await server.listen({ port: 0 }));
  policyId = (await engine.importPolicy(owner, sunlight)).policy.id;
  await engine.lifecycle.dryRun(owner, policyId);
});
afterAll(async () => {
  await server.close();
  await engine.close();
});

const client = (caller: Caller, actAs?: string): Client =>
  createClient({ url, token: signDevelopmentToken(secret, caller), ...(actAs !== undefined && { actAs }) });
const refusal = async (call: Promise<unknown>): Promise<string> => {
  const error: unknown = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return error instanceof BlockworkApiError ? error.error : String(error);
};

it('the owner plays everybody, goes back, and takes what was done home as a test', async () => {
  const registry = client(owner);
  const { routes } = registry;
  await routes.startRecording({ policyId });
  const { data: ana } = await routes.addTrialUser({ policyId, body: { name: 'Ana' } });
  const asAna = client(owner, ana.did).policy(policyId);
  expect((await asAna.get()).userRole).toBe('No role');
  await asAna.block('choose_role').send({ role: 'Producer' });
  expect((await asAna.get()).userRole).toBe('Producer');
  await asAna.block('report').send({ document: { site: 'Roof', kilowattHours: 2 }, ref: null });
  const { data: savepoint } = await routes.makeSavepoint({ policyId, body: { name: 'Reported' } });
  const grid = registry.policy(policyId).block('all_reports');
  const [row] = (await grid.read<{ data: object[] }>()).data;
  await registry.policy(policyId).block('decide').send({ tag: 'Reject', document: row });
  await routes.restoreSavepoint({ policyId, savepointId: savepoint.id });
  expect((await grid.read<{ data: object[] }>()).data).toMatchObject([{ option: { status: 'Waiting' } }]);
  const { data: script } = await routes.getScenario({ policyId });
  expect(script.map(({ as, tag }) => [as, tag])).toEqual([
    ['Ana', 'choose_role'],
    ['Ana', 'report'],
    ['owner', 'all_reports'],
    ['Ana', 'my_reports'],
  ]);
  const world = await openScenarioWorld(sunlight);
  expect(describeFailures('recorded', await runScenario(script, world))).toBe('');
  await world.close();
});

it('only the owner acts as somebody of the trial, only in this policy, and only as they may', async () => {
  const [ana] = (await client(owner).routes.getTrial({ policyId })).data.users;
  const did = ana?.did ?? '';
  const other = (await engine.importPolicy(owner, { ...sunlight, name: 'Other', policyTag: 'Other' })).policy.id;
  expect(await refusal(client(rival, did).policy(policyId).get())).toBe('POLICY_UNKNOWN');
  expect(
    await refusal(
      client({ ...owner, did, role: 'USER' }, did)
        .policy(policyId)
        .get(),
    ),
  ).toBe('PERMISSION_DENIED');
  expect(await refusal(client(owner, did).policy(other).get())).toBe('POLICY_STATUS');
  await engine.lifecycle.dryRun(owner, other);
  expect(await refusal(client(owner, did).policy(other).get())).toBe('VIRTUAL_USER_UNKNOWN');
  expect(await refusal(client(owner, did).routes.listPolicies())).toBe('INPUT_INVALID');
  // As somebody of the trial, the owner does not look into their policy.
  expect(await refusal(client(owner, did).routes.readJournal({ policyId }))).toBe('PERMISSION_DENIED');
  expect(await refusal(client(owner, did).routes.getTrial({ policyId }))).toBe('PERMISSION_DENIED');
});
