import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject, PolicyRecord } from '@blockwork/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAnswer } from './support/expect-answer.js';
import { openWorld } from './support/world.js';
import type { World } from './support/world.js';

const folder = process.env['BLOCKWORK_REAL_POLICIES'];
const files = folder === undefined ? [] : readdirSync(folder).filter((name) => name.endsWith('.policy'));

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** Texts of `tokenId` members in the order of the tree, parents first: what the list must say, worked out the plain way. */
function tokenIdsOf(block: JsonObject): string[] {
  const own = typeof block['tokenId'] === 'string' && block['tokenId'] !== '' ? [block['tokenId']] : [];
  return [...own, ...((block['children'] ?? []) as JsonObject[]).flatMap(tokenIdsOf)];
}

async function importAndList(
  body: Uint8Array,
): Promise<{ policy: PolicyRecord; tokens: string[]; total: string | null }> {
  const imported = await world.call('POST', '/policies/import/file', {
    headers: { 'content-type': 'application/zip' },
    body: body,
  });
  const { policy } = (await expectAnswer('importPolicyFile', imported, 201)) as { policy: PolicyRecord };
  const response = await world.call('GET', `/policies/${policy.id}/tokens`);
  const total = response.headers.get('x-total-count');
  const tokens = (await expectAnswer('listTokens', response, 200)) as string[];
  const full = (await (await world.call('GET', `/policies/${policy.id}`)).json()) as PolicyRecord;
  return { policy: full, tokens, total };
}

describe.skipIf(folder === undefined)('the tokens of the real policies (BLOCKWORK_REAL_POLICIES)', () => {
  it.each(files)('%s: in the order of the tree, each once, and X-Total-Count is their number', async (name) => {
    const { policy, tokens, total } = await importAndList(readFileSync(join(folder ?? '', name)));
    expect(tokens).toEqual([...new Set(tokenIdsOf(policy.config as JsonObject))]);
    expect(total).toBe(String(tokens.length));
  });

  it('are not all empty', async () => {
    const lists = await Promise.all(files.map((name) => importAndList(readFileSync(join(folder ?? '', name)))));
    expect(lists.some(({ tokens }) => tokens.length > 0)).toBe(true);
  });
});

it('a policy without tokens has an empty list, and X-Total-Count is 0', async () => {
  const response = await world.call('GET', `/policies/${world.policyId}/tokens`);
  expect(response.headers.get('x-total-count')).toBe('0');
  expect(await expectAnswer('listTokens', response, 200)).toEqual([]);
});
