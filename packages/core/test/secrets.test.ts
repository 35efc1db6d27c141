/** Secrets: where they come from, and who sees what is written into a policy instead. */
import { createEngine, environmentSecrets, fileSecrets, type Caller, type SecretUse } from '@blockwork/core';
import { defineBlock, sensitive } from '@blockwork/core/block';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { written } from './policy-fixtures.js';

const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const others: Caller[] = [
  { did: 'did:example:other', role: 'STANDARD_REGISTRY' },
  { did: 'did:example:user', role: 'USER' },
  { did: 'did:example:auditor', role: 'AUDITOR' },
];
const use: SecretUse = { policyId: 'policy', owner: owner.did, tag: 'block' };

describe('secrets', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'blockwork-secrets-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('from files are read each time, without the line break at the end, and never from outside the folder', async () => {
    const secrets = fileSecrets(folder);
    expect(await secrets.get('PRICES', use)).toBeUndefined();
    await writeFile(join(folder, 'PRICES'), 'one\n');
    expect(await secrets.get('PRICES', use)).toBe('one');
    await writeFile(join(folder, 'PRICES'), 'two');
    expect(await secrets.get('PRICES', use)).toBe('two');
    for (const name of ['', '..', '../PRICES', './PRICES', 'a/b', 'PRICES\0']) {
      expect(await secrets.get(name, use), name).toBeUndefined();
    }
    expect(() => fileSecrets('')).toThrow('secrets');
  });

  it('from the environment are those variables only that are meant as secrets', async () => {
    const secrets = environmentSecrets({ BLOCKWORK_SECRET_PRICES: 'one', PATH: '/bin' });
    expect(await secrets.get('PRICES', use)).toBe('one');
    expect(await secrets.get('PATH', use)).toBeUndefined();
  });

  it('are asked for in the name of the block that uses them, and refused by name where there is none', async () => {
    const callers: unknown[] = [];
    const seeker = defineBlock({
      type: 'seeker',
      title: 'Seeker',
      description: '',
      kind: 'interface',
      input: z.object({ name: z.string() }),
      receive: async (ctx, { name }) => (await ctx.secrets.get(name)).length,
    });
    const secrets = {
      get: (name: string, by: SecretUse) => {
        callers.push([name, by]);
        return Promise.resolve(name === 'KNOWN' ? 'value' : undefined);
      },
    };
    const engine = createEngine({ blocks: [seeker], secrets });
    const { policy } = await engine.importPolicy(owner, { name: 'Seeks', config: written('seeker', 'seek') });
    const seek = (name: string) => engine.sendToBlock(owner, policy.id, { tag: 'seek' }, { name });
    expect(await seek('KNOWN')).toBe(5);
    expect(callers).toEqual([['KNOWN', { policyId: policy.id, owner: owner.did, tag: 'seek' }]]);
    await expect(seek('OTHER')).rejects.toMatchObject({
      code: 'SECRET_UNKNOWN',
      facts: { name: 'OTHER', tag: 'seek' },
    });
    await expect(seek('../KNOWN')).rejects.toMatchObject({ code: 'SECRET_UNKNOWN' });
    expect(callers).toHaveLength(2);
    await engine.close();
  });
});

describe('the configuration of a policy', () => {
  const text = z.string().nullish();
  const caller = defineBlock({
    type: 'caller',
    title: 'Caller',
    description: '',
    kind: 'interface',
    children: 'any',
    options: z.object({
      url: text,
      password: sensitive(text),
      headers: z
        .array(z.object({ name: text, value: sensitive(text) }))
        .nullish()
        .transform((headers) => headers ?? []),
      codes: z.array(sensitive(z.string())).optional(),
      by: z.record(z.string(), z.object({ key: sensitive(z.string()) })).optional(),
      login: z.union([z.object({ kind: z.literal('basic'), secret: sensitive(text) }), z.string()]).optional(),
    }),
  });
  const options = {
    url: 'https://example.org',
    password: 'SECRET-1',
    headers: [{ name: 'Authorization', value: 'SECRET-2' }],
    codes: ['SECRET-3'],
    by: { north: { key: 'SECRET-4' } },
    login: { kind: 'basic', secret: 'SECRET-5' },
  };
  const config = written('caller', 'root', options, written('caller', 'below', options), {
    ...written('unknownBlock', 'strange', { apiKey: 'SECRET-6' }),
    uiMetaData: { title: 'Strange' },
  });

  it('is whole for its owner, and lacks what option schemas mark as sensitive for everybody else', async () => {
    const engine = createEngine({ blocks: [caller], drafts: 'shared' });
    const { policy } = await engine.importPolicy(owner, { name: 'Calls', config });
    const seenBy = async (who: Caller) => (await engine.getPolicy(who, policy.id)).config;
    const whole = JSON.stringify(await seenBy(owner));
    for (const secret of [1, 2, 3, 4, 5, 6]) expect(whole).toContain(`SECRET-${String(secret)}`);
    for (const who of others) {
      const shownPolicy = await seenBy(who);
      expect(JSON.stringify(shownPolicy)).not.toContain('SECRET');
      const shown = {
        url: options.url,
        headers: [{ name: 'Authorization' }],
        codes: [null],
        by: { north: {} },
        login: { kind: 'basic' },
      };
      expect(shownPolicy).toMatchObject({
        blockType: 'caller',
        tag: 'root',
        ...shown,
        children: [
          { tag: 'below', ...shown },
          { blockType: 'unknownBlock', tag: 'strange', uiMetaData: { title: 'Strange' } },
        ],
      });
    }
    await engine.close();
  });
});
