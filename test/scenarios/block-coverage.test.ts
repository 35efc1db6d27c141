/** Every block type has a page in the reference, a test on its bench, and a scenario that plays it. */
import * as core from '@blockwork/core/block';
import type { BlockType } from '@blockwork/core/block';
import { standardBlocks } from '@blockwork/blocks';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ownCases, realCases } from './support/cases.js';
import { playedTypes } from './support/played-types.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const text = (path: string): string => readFileSync(join(root, path), 'utf8');

const interfaceTypes = [
  ...Object.values(core).filter((each): each is BlockType => typeof each === 'object' && 'kind' in each),
  core.paginationAddon(),
];
const types = [...new Set([...interfaceTypes, ...standardBlocks()].map(({ type }) => type))].sort();

/** What plays a type that no script of this folder does, and the policy that has it. */
const playedBy: Readonly<Record<string, { readonly test: string; readonly names: string }>> = {
  externalTopicBlock: { test: 'test/library/irec-10.test.ts', names: 'irec-10-recipient.policy' },
  globalEventsReaderBlock: { test: 'test/scenarios/global-events.test.ts', names: "'flood'" },
  globalEventsWriterBlock: { test: 'test/scenarios/global-events.test.ts', names: "'river'" },
  tool: { test: 'packages/core/test/tools.test.ts', names: 'toolFile' },
};

/** Types that only scenarios over published policies play, which are run where the environment names them. */
const playedByPublished = [
  'aggregateDocumentBlock',
  'calculateContainerBlock',
  'calculateMathAddon',
  'documentValidatorBlock',
  'externalDataBlock',
  'filtersAddon',
  'groupManagerBlock',
  'historyAddon',
  'impactAddon',
  'informationBlock',
  'interfaceActionBlock',
  'interfaceStepBlock',
  'multiSignBlock',
  'paginationAddon',
  'reportBlock',
  'reportItemBlock',
  'revokeBlock',
  'setRelationshipsBlock',
  'splitBlock',
  'switchBlock',
  'timerBlock',
  'tokenActionBlock',
  'tokenConfirmationBlock',
];

/** On the bench alone: no policy at hand has one, or it would call a service. */
const onBenchesOnly = ['calculateMathVariables', 'createTokenBlock', 'httpRequestBlock', 'retirementDocumentBlock'];

/** Tests that put blocks on benches, as one text for each file. */
const benches = ['packages/blocks/src', 'packages/core/src/blocks']
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, String(name))))
  .filter((path) => path.endsWith('.test.ts'))
  .map(text)
  .filter((content) => /\b(\w*[bB]ench[<(]|createEngine\()/.test(content));

/** What the export of a type is called, where that is not the type itself. */
const exported: Readonly<Record<string, string>> = { module: 'moduleBlock', tool: 'toolBlock' };

describe('every block type', () => {
  it.each(types)('%s has a page, and a test on its bench', (type) => {
    expect(existsSync(join(root, `docs/blocks/${type}.md`))).toBe(true);
    const names = new RegExp(`\\b${exported[type] ?? type}\\b`);
    expect(benches.filter((content) => names.test(content)).length).toBeGreaterThan(0);
  });

  it('is played by a scenario', async () => {
    const played = new Set<string>();
    for (const each of ownCases) for (const type of await playedTypes(each)) played.add(type);
    const elsewhere = [...Object.keys(playedBy), ...playedByPublished, ...onBenchesOnly];
    expect(types.filter((type) => !played.has(type))).toEqual(elsewhere.sort());
    for (const { test, names } of Object.values(playedBy)) expect(text(test)).toContain(names);
  });

  it.skipIf(realCases.length === 0)('is played by the published policy', { timeout: 300_000 }, async () => {
    const played = new Set<string>();
    for (const each of realCases) for (const type of await playedTypes(each)) played.add(type);
    expect(playedByPublished.filter((type) => !played.has(type))).toEqual([]);
  });
});
