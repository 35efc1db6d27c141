/** Tokens that operators revoke: seen by every engine over the store, bounded, and forgotten when they have expired. */
import { createEngine, MemoryStore, type PolicyEngine } from '@blockwork/core';
import { afterEach, beforeEach, expect, it } from 'vitest';

const operator = { did: 'did:example:operator', role: 'OPERATOR' };
const user = { did: 'did:example:user', role: 'USER' };
const clock = {
  time: Date.UTC(2026, 2, 14),
  now() {
    return this.time;
  },
};
let store: MemoryStore;
let engine: PolicyEngine;

beforeEach(() => {
  clock.time = Date.UTC(2026, 2, 14);
  store = new MemoryStore();
  engine = createEngine({ store, clock, limits: { revokedTokens: 3 } });
});
afterEach(() => engine.close());

const hour = 3_600_000;
const add = (tokenId: string, expiresAt = clock.time + hour) =>
  engine.revokedTokens.add(operator, { tokenId, expiresAt });
const isRevoked = (tokenId: string) => engine.program.isTokenRevoked(tokenId);

it('a token is revoked from then on, by its id, whatever characters that has', async () => {
  expect(await isRevoked('abc')).toBe(false);
  expect(await add('abc')).toMatchObject({
    tokenId: 'abc',
    revokedBy: operator.did,
    expiresAt: '2026-03-14T01:00:00.000Z',
  });
  expect(await isRevoked('abc')).toBe(true);
  for (const other of ['ab', 'ABC', 'abc ', '', 'a\u0000', '__proto__', '\ud800', 'x'.repeat(100_000)]) {
    expect(await isRevoked(other)).toBe(false);
  }
  await add('__proto__');
  expect(await isRevoked('__proto__')).toBe(true);
});

it('another engine over the same store sees it at once', async () => {
  const other = createEngine({ store, clock });
  await add('abc');
  expect(await other.program.isTokenRevoked('abc')).toBe(true);
});

it('the same token again changes nothing, unless it expires later', async () => {
  const first = await add('abc');
  clock.time += 1000;
  expect(await add('abc', clock.time + 5)).toEqual(first);
  expect(await add('abc', clock.time + 2 * hour)).toMatchObject({
    createDate: first.createDate,
    expiresAt: '2026-03-14T02:00:01.000Z',
  });
  expect((await engine.revokedTokens.list(operator)).total).toBe(1);
});

it('they are bounded, and make room when they have expired', async () => {
  for (const id of ['a', 'b', 'c']) {
    await add(id);
    clock.time += 1;
  }
  await expect(add('d')).rejects.toMatchObject({ code: 'TOKENS_TOO_MANY' });
  await add('c');
  clock.time += hour + 1;
  await add('d');
  const { items, total } = await engine.revokedTokens.list(operator);
  expect({ ids: items.map(({ tokenId }) => tokenId), total }).toEqual({ ids: ['d'], total: 1 });
});

it('two that are revoked at the same time are both kept within the bound', async () => {
  await add('a');
  const outcomes = await Promise.allSettled(['b', 'c', 'd', 'e'].map((id) => add(id)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  expect((await engine.revokedTokens.list(operator)).total).toBe(3);
});

it('they are listed in pages, the newest first', async () => {
  for (const id of ['a', 'b', 'c']) {
    await add(id);
    clock.time += 1;
  }
  const { items, total } = await engine.revokedTokens.list(operator, { offset: 1, limit: 1 });
  expect(items).toMatchObject([{ tokenId: 'b' }]);
  expect(total).toBe(3);
  await expect(engine.revokedTokens.list(operator, { limit: 1001 })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
});

it('only who has the permission may revoke and list', async () => {
  const denied = { code: 'PERMISSION_DENIED' };
  const token = { tokenId: 'abc', expiresAt: clock.time + hour };
  // The tokens of all registries are in one list, and any of them can be revoked.
  for (const other of [user, { did: 'did:example:registry', role: 'STANDARD_REGISTRY' }]) {
    await expect(engine.revokedTokens.add(other, token)).rejects.toMatchObject(denied);
    await expect(engine.revokedTokens.list(other)).rejects.toMatchObject(denied);
  }
  expect(await isRevoked('abc')).toBe(false);
});

it.each([
  ['/tokenId', { tokenId: '', expiresAt: Infinity }],
  ['/tokenId', { tokenId: 'x'.repeat(501), expiresAt: 1e13 }],
  ['/tokenId', { tokenId: 'a\u0000', expiresAt: 1e13 }],
  ['/tokenId', { tokenId: 5, expiresAt: 1e13 }],
  ['/expiresAt', { tokenId: 'a', expiresAt: 5 }],
  ['/expiresAt', { tokenId: 'a', expiresAt: 1e13 + 0.5 }],
  ['/expiresAt', { tokenId: 'a', expiresAt: 1e15 }],
  ['/reason', { tokenId: 'a', expiresAt: 1e13, reason: 'x'.repeat(501) }],
])('what is no revocation is refused at %s', async (path, token) => {
  const refused: unknown = await engine.revokedTokens.add(operator, token as never).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'INPUT_INVALID' });
  expect((refused as { details: { path: string }[] }).details.map((detail) => detail.path)).toContain(path);
});
