/** Which types of blocks a scenario plays: those whose blocks it addresses, and those that its events reach. */
import { openScenarioWorld, runScenario, type ScenarioWorld } from '@blockwork/explorer';
import type { ScenarioCase } from './cases.js';

interface Block {
  readonly blockType: string;
  readonly tag: string;
  readonly children: readonly Block[];
}

export async function playedTypes({ script, policy }: ScenarioCase): Promise<string[]> {
  const world = await openScenarioWorld(policy);
  try {
    await runScenario(script, world);
    return await typesOf(world, await touchedTags(world, script as { readonly tag?: string }[]));
  } finally {
    await world.close();
  }
}

/** Tags of the blocks that were read, sent to, or reached by events. */
async function touchedTags(
  { bench }: ScenarioWorld,
  script: readonly { readonly tag?: string }[],
): Promise<Set<string>> {
  const events = (await bench.journal()).flatMap((entry) => entry.events);
  return new Set([...script.flatMap(({ tag }) => tag ?? []), ...events.map(({ target }) => target)]);
}

/** What a block does, it does with the addons and sources within it. */
async function typesOf({ bench }: ScenarioWorld, tags: ReadonlySet<string>): Promise<string[]> {
  const { engine, policyId, owner } = await bench.open();
  const { config } = await engine.getPolicy(owner, policyId);
  const types = new Set<string>();
  const look = (block: Block, isWithin: boolean): void => {
    const isTouched =
      tags.has(block.tag) || (isWithin && /Addon$|^selectiveAttributes$|^reportItemBlock$/.test(block.blockType));
    if (isTouched) types.add(block.blockType);
    for (const child of block.children) look(child, isTouched);
  };
  look(config as unknown as Block, false);
  return [...types].sort();
}
