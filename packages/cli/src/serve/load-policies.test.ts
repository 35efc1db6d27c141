import { createEngine, type PolicyEngine } from '@blockwork/core';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolders } from '../../../../test/support/folders.js';
import { loadPolicies } from './load-policies.js';

const newFolder = temporaryFolders();
const owner = 'did:example:owner';
const config = { blockType: 'interfaceContainerBlock', tag: 'root', permissions: ['ANY_ROLE'] };

let folder: string;
let engine: PolicyEngine;
beforeEach(async () => {
  engine = createEngine();
  folder = await newFolder();
  const files = { 'solar-farm': {}, sunlight: {}, 'with an id': { id: 'its-own' } };
  for (const [name, more] of Object.entries(files)) {
    await writeFile(join(folder, `${name}.policy.json`), JSON.stringify({ name, config, ...more }));
  }
});
afterEach(() => engine.close());

const idsWith = async (sandbox: 'off' | 'loopback'): Promise<unknown[]> =>
  (await loadPolicies(engine, { policies: folder, owner, sandbox })).map(({ facts }) => facts?.policyId);

describe('policies of a folder', () => {
  it('are called as their files, where those say nothing else', async () => {
    expect(await idsWith('off')).toEqual(['solar-farm', 'sunlight', 'its-own']);
  });

  it('get an id that the web client of the reference can address in a sandbox, the same with each fresh start', async () => {
    const ids = await idsWith('loopback');
    expect(ids).toEqual([expect.stringMatching(/^[0-9a-f]{24}$/), 'sunlight', 'its-own']);
    await engine.close();
    engine = createEngine();
    expect(await idsWith('loopback')).toEqual(ids);
  });

  it('are refused where another file of the folder has their id', async () => {
    const copy = { name: 'copy', config, id: 'its-own' };
    await writeFile(join(folder, 'xerox.policy.json'), JSON.stringify(copy));
    const outcomes = async (): Promise<unknown[]> =>
      (await loadPolicies(engine, { policies: folder, owner, sandbox: 'off' })).map(({ outcome }) => outcome);
    const refusal = 'not loaded: its id "its-own" is that of with an id.policy.json. Give it another one.';
    expect(await outcomes()).toEqual(['loaded', 'loaded', 'loaded', refusal]);
    expect(await outcomes()).toEqual(['loaded before', 'loaded before', 'loaded before', refusal]);
    await rm(join(folder, 'with an id.policy.json'));
    expect(await outcomes()).toEqual(['loaded before', 'loaded before', 'here already']);
  });

  it('are not looked for in a file', async () => {
    const policies = join(folder, 'sunlight.policy.json');
    const message = `${policies} is a file. Name its folder instead.`;
    await expect(loadPolicies(engine, { policies, owner, sandbox: 'off' })).rejects.toThrow(message);
  });

  it('keep the id under which they were loaded before', async () => {
    const ids = await idsWith('off');
    expect(await idsWith('loopback')).toEqual(ids);
  });
});
