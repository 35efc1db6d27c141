/** Tokens that a registry makes for its policies, and what accounts have to do with them. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { block, openRegistryWorld, type RegistryWorld, type Who } from './support/registry-world.js';

let world: RegistryWorld;
beforeEach(async () => {
  world = await openRegistryWorld();
});
afterEach(() => world.close());

interface Token {
  tokenId: string;
  tokenName: string;
  [member: string]: unknown;
}
const facts = { tokenName: 'Credit', tokenSymbol: 'CRD', tokenType: 'fungible', decimals: '2', initialSupply: '0' };
const flags = { changeSupply: true, enableAdmin: true, enableFreeze: true, enableKYC: true, enableWipe: true };
const make = async (more: object = {}): Promise<string> => {
  const { status, body } = await world.call('POST', 'tokens', { ...facts, ...flags, ...more });
  expect(status).toBe(201);
  return (body as Token[])[0]!.tokenId;
};
const put = (who: Who, path: string) => world.as(who, 'PUT', `tokens/${path}`);

it('a token is made, listed for the users of its registry, and deleted', async () => {
  const tokenId = await make();
  expect(tokenId).toMatch(/^0\.0\.\d+$/);
  const draft = await make({ tokenName: 'Draft', draftToken: true });
  expect((await world.call('GET', 'tokens')).body).toMatchObject([
    { tokenId: draft, adminId: null, canDelete: true },
    { tokenId, adminId: expect.stringMatching(/^0\.0\./), decimals: '2', enableKYC: true, policies: [] },
  ]);
  expect((await world.as('ann', 'GET', 'tokens')).body).toMatchObject([
    { tokenId, associated: false, balance: '0.00' },
  ]);
  expect((await world.as('other', 'GET', 'tokens')).body).toEqual([]);
  expect((await world.as('ann', 'POST', 'tokens', { json: facts })).status).toBe(403);
  expect((await world.call('POST', 'tokens', { ...facts, decimals: 'two' })).status).toBe(422);
  expect(await world.failure(world.call('POST', 'tokens/push', { ...facts, tokenType: 'string' }))).toMatchObject({
    code: 422,
  });
  const whole = { ...facts, tokenType: 'non-fungible', draftToken: true };
  expect(await world.result(world.call('POST', 'tokens/push', whole))).toMatchObject({ decimals: '0' });
  const renamed = world.call('PUT', 'tokens/push', { ...facts, tokenId: draft, tokenName: 'New', decimals: '4' });
  expect(await world.result(renamed)).toMatchObject({ tokenName: 'New', decimals: '4' });
  // What is on a ledger keeps what it is.
  const onLedger = world.call('PUT', 'tokens/push', { ...facts, tokenId, tokenName: 'New', decimals: '4' });
  expect(await world.result(onLedger)).toMatchObject({ tokenName: 'New', decimals: '2' });
  const deleted = await world.as('other', 'DELETE', `tokens/push/${tokenId}`);
  expect((await world.as('other', 'GET', `tasks/${String(deleted.body.taskId)}`)).body.error).toMatchObject({
    code: 404,
  });
  expect(await world.result(world.as('registry', 'DELETE', `tokens/push/${tokenId}`))).toBe(true);
  expect((await world.as('ann', 'GET', 'tokens')).body).toEqual([]);
});

it('a user associates their account, and only its registry decides on KYC and freezes', async () => {
  const tokenId = await make();
  expect((await put('registry', `${tokenId}/ann/grant-kyc`)).body.error).toBe('TOKEN_REFUSED_BY_BOOK');
  expect(await put('ann', `${tokenId}/associate`)).toMatchObject({ status: 200, body: { tokenId, associated: true } });
  expect((await put('ann', `${tokenId}/ann/grant-kyc`)).status).toBe(403);
  expect((await put('other', `${tokenId}/ann/grant-kyc`)).status).toBe(404);
  expect((await put('registry', `${tokenId}/nobody/grant-kyc`)).body.error).toBe('ACCOUNT_UNKNOWN');
  expect((await put('registry', `${tokenId}/ann/grant-kyc`)).body).toMatchObject({ kyc: true });
  expect(await world.result(put('registry', `push/${tokenId}/ann/revoke-kyc`))).toMatchObject({ kyc: false });
  expect(await world.result(put('registry', `push/${tokenId}/ann/freeze`))).toMatchObject({ frozen: true });
  expect((await put('ann', `${tokenId}/dissociate`)).body.error).toBe('TOKEN_REFUSED_BY_BOOK');
  expect((await world.call('GET', `tokens/${tokenId}/ann/info`)).body).toMatchObject({
    associated: true,
    frozen: true,
  });
  expect((await put('registry', `${tokenId}/ann/unfreeze`)).body).toMatchObject({ frozen: false });
  expect((await put('ann', `${tokenId}/dissociate`)).body).toMatchObject({ associated: false });
  expect((await world.as('ann', 'GET', `tokens/${tokenId}/serials`)).body).toEqual([]);
  expect((await world.as('ann', 'GET', 'tokens/0.0.1/serials')).status).toBe(404);
  const keyless = await make({ enableKYC: false });
  await put('ann', `${keyless}/associate`);
  expect((await put('registry', `${keyless}/ann/grant-kyc`)).body.message).toEqual([
    expect.stringContaining('no KYC key'),
  ]);
});

it('a token that a block names belongs to the policy as soon as it is saved, and then to its book', async () => {
  const tokenId = await make();
  const id = String(await world.result(world.call('POST', 'policies/push', { name: 'Registry' })));
  const { body: policy } = await world.call('GET', `policies/${id}`);
  const action = block('tokenActionBlock', 'associate', { tokenId, action: 'associate', useTemplate: false });
  const edited = { ...(policy as object), config: { ...(policy.config as object), children: [action] } };
  expect((await world.call('POST', 'policies/validate', edited)).body.results.isValid).toBe(true);
  await world.call('PUT', `policies/${id}`, edited);
  expect((await world.call('GET', 'tokens')).body).toMatchObject([{ tokenId, tokenName: 'Credit', policyIds: [id] }]);
  expect(await world.failure(world.as('registry', 'DELETE', `tokens/push/${tokenId}`))).toMatchObject({ code: 422 });
  const published = world.call('PUT', `policies/push/${id}/publish`, { policyVersion: '1.0.0' });
  expect(await world.result(published)).toMatchObject({ isValid: true });
  expect(await put('ann', `${tokenId}/associate`)).toMatchObject({ status: 409, body: { error: 'TOKEN_OF_POLICY' } });
  expect((await put('ann', `${tokenId}/dissociate`)).body).toMatchObject({ associated: false, balance: '0.00' });
  expect((await world.call('GET', `tokens/${tokenId}/ann/info`)).body).toMatchObject({ tokenId, associated: false });
});
