/** `blockwork log export` and `verify log`: the log of a journal as files, and what is noticed in them. */
import { createSecretKey } from 'node:crypto';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createEngine, MemoryStore, type Caller, type PolicyEngine } from '@blockwork/core';
import { createPolicyServer, signDevelopmentToken, type PolicyServer } from '@blockwork/http-koa';
import { block, documents } from '@blockwork/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolders } from '../../../test/support/folders.js';
import { run, type Ended } from './support/run.js';

const newFolder = temporaryFolders();
const secret = createSecretKey(Buffer.alloc(32, 9));
const owner: Caller = { did: 'did:example:registry', role: 'STANDARD_REGISTRY' };
const auditor: Caller = { did: 'did:example:auditor', role: 'AUDITOR' };
const policy = {
  name: 'Registry',
  description: 'A registry',
  policyTag: 'registry',
  config: block('interfaceContainerBlock', '', { permissions: ['ANY_ROLE'] }),
};

let [folder, url, policyId] = ['', '', ''];
let store: MemoryStore;
let engine: PolicyEngine;
let server: PolicyServer;

beforeEach(async () => {
  folder = await newFolder();
  store = new MemoryStore();
  engine = createEngine({ store, limits: { journalEntries: 200 } });
  server = createPolicyServer(engine, { auth: { secret } });
  ({ url } = await server.listen({ port: 0 }));
  policyId = (await engine.importPolicy(owner, policy)).policy.id;
  await engine.lifecycle.publish(owner, policyId, '1.0.0');
});
afterEach(async () => {
  await server.close();
  await engine.close();
});

const add = async (count: number): Promise<void> => {
  for (let at = 0; at < count; at += 1) await engine.program.documents.add(policyId, documents(1));
};
const blockwork = (caller: Caller, ...line: string[]): Promise<Ended> =>
  run(line, { env: { BLOCKWORK_TOKEN: signDevelopmentToken(secret, caller) } });
const exported = (...more: string[]): Promise<Ended> =>
  blockwork(owner, 'log', 'export', url, join(folder, 'log'), '--policy', policyId, ...more);
const verified = (...line: string[]): Promise<Ended> => blockwork(owner, 'verify', 'log', ...line);

describe('the log of a journal', () => {
  it('is written to a folder and verified there, with archived entries, and continued by the next export', async () => {
    await add(400);
    await vi.waitFor(async () => expect(await store.count('journal-archive', policyId)).toBeGreaterThan(0), {
      timeout: 60_000,
    });
    expect(await exported()).toMatchObject({ code: 0, err: '' });
    const log = join(folder, 'log');
    const first = await verified(log, '--json');
    expect({ code: first.code, wrong: (JSON.parse(first.out) as { wrong: unknown[] }).wrong }).toEqual({
      code: 0,
      wrong: [],
    });
    const before = join(folder, 'before');
    await cp(log, before, { recursive: true });
    await add(30);
    expect((await exported()).code).toBe(0);
    expect((await verified(log, '--since', before)).code).toBe(0);
    expect((await verified(log, '--since', join(before, 'checkpoint'))).code).toBe(0);
    expect((await verified(before, '--since', log)).code).toBe(1);
    expect((await verified(url, '--policy', policyId, '--since', before)).code).toBe(0);
  });

  it('is verified from the server by who may not read the journal, without the entries', async () => {
    await add(3);
    const { code, out } = await blockwork(auditor, 'verify', 'log', url, '--policy', policyId);
    expect(code).toBe(0);
    expect(out).toContain('with 4 entries');
    expect(out).toContain('The content of 4 entries, which is not here');
  });

  it('is not overwritten by one that does not continue it', async () => {
    await add(20);
    await exported();
    const log = join(folder, 'log');
    const checkpoint = await readFile(join(log, 'checkpoint'), 'utf8');
    const [entry] = await store.find('journal-tree', policyId);
    await store.commit({
      expect: {},
      changes: [
        {
          op: 'put',
          kind: 'journal-tree',
          partition: policyId,
          value: {
            ...entry!,
            size: 20,
            entries: entry!.entries.slice(0, -1),
            hashes: Buffer.from(entry!.hashes, 'base64').subarray(0, -32).toString('base64'),
          },
        },
      ],
    });
    const { code, out } = await exported();
    expect(code).toBe(1);
    expect(out).toContain('it is shorter than it was: entries 20 to 20 are gone');
    expect(await readFile(join(log, 'checkpoint'), 'utf8')).toBe(checkpoint);
  });

  it('says which entry somebody changed in the folder', async () => {
    await add(5);
    await exported();
    const file = join(folder, 'log', 'journal', '000.jsonl');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('"importer"', '"imported"'));
    const { code, out } = await verified(join(folder, 'log'));
    expect(code).toBe(1);
    expect(out).toMatch(/the content of the entry \d{12} was changed: what started it or ran in it/);
  });

  it('can be left without its entries, and is nothing that other files are mixed with', async () => {
    await add(5);
    await exported('--hashes-only');
    await expect(readFile(join(folder, 'log', 'journal', '000.jsonl'))).rejects.toThrow('ENOENT');
    await rm(join(folder, 'log', 'checkpoint'));
    expect(await exported()).toMatchObject({ code: 2, out: '' });
    expect((await verified(join(folder, 'log'))).code).toBe(1);
    expect((await verified(join(folder, 'nowhere'))).code).toBe(3);
    expect((await verified(url)).code).toBe(2);
  });
});
