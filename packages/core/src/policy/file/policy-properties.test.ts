import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { archive, catalogOf, definition, facts } from '../../../test/policy-fixtures.js';
import { BlockworkError } from '../../errors.js';
import { isObject, type BlockSource, type JsonObject } from '../../records/index.js';
import { compilePolicy } from '../compile/compile.js';
import { readArchive } from './read-archive.js';
import { readPolicyJson } from './read-json.js';
import { renewBlockIds } from './renew-ids.js';
import { tokenIds } from '../compile/token-ids.js';

const ids = { uuid: () => crypto.randomUUID() as string };

const catalog = catalogOf(
  definition('interfaceContainerBlock', { kind: 'container', inputs: ['ReleaseEvent'] }),
  definition('interfaceDocumentsSourceBlock', { kind: 'interface', children: ['source', 'paging'] }),
  definition('documentsSourceAddon', { kind: 'source', children: 'none', parents: ['interfaceDocumentsSourceBlock'] }),
  definition('mintDocumentBlock', { options: z.object({ tokenId: z.string() }) }),
);
const types = [
  ...catalog.keys(),
  'module',
  'tool',
  'sendToGuardian',
  'interfaceActionBlock',
  'revokeBlock',
  'switchBlock',
];

const tag = fc.constantFrom('', 'a', 'b', 'c', 'd', ' e', '__proto__');
const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
const messy = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 20, arbitrary: value }, { weight: 1, arbitrary: fc.jsonValue() });
const event = fc.record(
  {
    source: tag,
    target: tag,
    output: fc.constantFrom('RunEvent', 'Button_0', ''),
    input: fc.constantFrom('RunEvent', 'PopEvent'),
    actor: scalar,
    disabled: scalar,
  },
  { requiredKeys: [] },
);

/** Mostly what authors write, sometimes anything that JSON can hold. */
const block = fc.letrec<{ block: Record<string, unknown> }>((tie) => ({
  block: fc.record(
    {
      blockType: fc.constantFrom(...types),
      tag: messy(fc.oneof({ weight: 5, arbitrary: fc.uuid() }, { weight: 1, arbitrary: tag })),
      id: messy(fc.uuid()),
      permissions: messy(fc.array(fc.constantFrom('ANY_ROLE', 'Installer', 'Stranger'))),
      defaultActive: messy(fc.boolean()),
      type: fc.constantFrom('selector', 'dropdown'),
      uiMetaData: messy(
        fc.record({
          options: messy(fc.array(fc.record({ bindBlock: tag }))),
          fields: messy(fc.array(fc.record({ bindBlock: tag }))),
        }),
      ),
      events: messy(fc.array(messy(event), { maxLength: 4 })),
      dependencies: messy(fc.array(tag, { maxLength: 3 })),
      conditions: messy(fc.array(fc.record({ target: tag }))),
      viewHistory: messy(fc.boolean()),
      variables: messy(
        fc.array(fc.record({ type: fc.constantFrom('Token', 'Role'), name: fc.constant('tokenId'), value: scalar })),
      ),
      tokenId: messy(fc.constantFrom('', '0.0.1', '0.0.2', '0.0.3')),
      onErrorAction: messy(fc.constantFrom('retry', 'goto-tag', 'goto-step')),
      options: messy(fc.oneof(fc.array(scalar), fc.record({ tokenId: scalar }))),
      children: messy(fc.array(tie('block'), { maxLength: 4, depthIdentifier: 'blocks' })),
    },
    { requiredKeys: ['blockType'] },
  ),
})).block;

const policy = fc.record({
  config: block,
  codeVersion: messy(fc.constantFrom('0.9', '1.0.0', '1.1.0', '1.4.0', '1.5.1', '2.0.0')),
});

/** What `read` gives, or `undefined` where it refuses as it should. */
function orRefused<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    expect(error).toBeInstanceOf(BlockworkError);
    return undefined;
  }
}

const naiveBlocks = (config: BlockSource): BlockSource[] => [config, ...config.children.flatMap(naiveBlocks)];

function naiveTokenIds(config: BlockSource): string[] {
  const variables = Array.isArray(config['variables']) ? config['variables'].filter(isObject) : [];
  const own =
    config.blockType === 'module' || config.blockType === 'tool'
      ? variables
          .filter((variable) => variable['type'] === 'Token')
          .map(({ value }) => (typeof value === 'string' && value !== '' ? value : config['tokenId']))
      : [config['tokenId']];
  const below = config.blockType === 'tool' ? [] : config.children.flatMap(naiveTokenIds);
  return [...new Set([...own.filter((id): id is string => typeof id === 'string' && id !== ''), ...below])];
}

test('whatever the blocks are, a policy is read and compiled, or refused with an error of the engine', () => {
  let compiled = 0;
  fc.assert(
    fc.property(policy, (written) => {
      const bundle = orRefused(() => readPolicyJson(written, { ids }));
      if (bundle === undefined) return;
      const { config } = renewBlockIds(bundle, ids);
      const { blocks, byUuid, byTag, findings } = compilePolicy(config, facts, catalog);
      compiled++;
      const all = naiveBlocks(config);
      expect(blocks.map(({ source }) => source)).toEqual(all);
      expect([...byUuid]).toEqual(blocks.map((each) => [each.uuid, each]));
      expect([...byTag.keys()]).toEqual([...new Set(all.map((each) => each.tag).filter((each) => each !== ''))]);
      expect(tokenIds(config)).toEqual(naiveTokenIds(config));
      const unknown = findings.filter(({ code }) => code === 'BLOCK_TYPE_UNKNOWN');
      expect(unknown).toHaveLength(all.filter(({ blockType }) => !catalog.has(blockType)).length);
    }),
    { numRuns: 300 },
  );
  expect(compiled).toBeGreaterThan(100);
});

test('an archive of the same policy gives the same blocks, but for dependencies', () => {
  fc.assert(
    fc.property(policy, (drawn) => {
      // Without a version the two count as differently old.
      const codeVersion = typeof drawn.codeVersion === 'string' ? drawn.codeVersion : '1.4.0';
      // As text, which is what an archive holds: there -0 is 0.
      const written = JSON.parse(JSON.stringify({ ...drawn, codeVersion })) as JsonObject;
      const read = { ids: { uuid: () => '00000000-0000-4000-8000-000000000000' } };
      const json = orRefused(() => readPolicyJson(written, read));
      const zipped = orRefused(() => readArchive(archive({ 'policy.json': written }), read));
      expect(zipped === undefined).toBe(json === undefined);
      if (json === undefined || zipped === undefined) return;
      const shape = (config: BlockSource) =>
        naiveBlocks(config).map((each) => [each.blockType, each.tag, each.permissions, each.uiMetaData]);
      expect(shape(zipped.config)).toEqual(shape(json.config));
      expect(naiveBlocks(zipped.config).flatMap(({ dependencies }) => dependencies)).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

test('whatever bytes a file holds, it is refused with an error of the engine', () => {
  const good = archive({ 'policy.json': { config: { blockType: 'a' } }, 'schemas/a.json': {} });
  const damage = fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(damage, fc.nat(good.length), (changes, length) => {
      const bytes = good.slice(0, length > good.length / 2 ? good.length : length);
      for (const [at, byte] of changes) if (at < bytes.length) bytes[at] = byte;
      orRefused(() => readArchive(bytes, { ids }));
    }),
    { numRuns: 2000 },
  );
});
