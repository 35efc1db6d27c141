/** The project that `blockwork new` makes, whose policy the pages call `registry.policy`. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { standardBlocks } from '@blockwork/blocks';
import { createEngine } from '@blockwork/core';
import { blockwork } from './blockwork.js';

const owner = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };

/** Puts the policy, as an archive, and its scenario into the folder. */
export async function putRegistry(folder: string): Promise<void> {
  const project = join(folder, 'registry-project');
  await blockwork(['new', project]);
  const text = await readFile(join(project, 'registry-project.policy.json'), 'utf8');
  const engine = createEngine({ blocks: standardBlocks() });
  const { policy } = await engine.importPolicy(owner, JSON.parse(text));
  await writeFile(join(folder, 'registry.policy'), await engine.exportPolicy(owner, policy.id));
  await engine.close();
  const scenario = await readFile(join(project, 'registry-project.scenario.json'), 'utf8');
  await writeFile(join(folder, 'registry.scenario.json'), scenario);
}
