/** Random sequences of edit operations: each is undone byte for byte, and a batch does what its operations do one by one. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { EditOperation } from '@blockwork/contract/edit-operations';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyingEdits, definitionOf, readOperations, type PolicyDefinition } from '../src/editing/index.js';
import { isBlockworkError } from '../src/errors.js';
import { atOnce } from '../src/loop-share.js';
import { defaultPolicyFileLimits, readPolicyFile, walkTree } from '../src/policy/index.js';
import { deepFreeze } from '../src/records/index.js';
import { countingIds, link, source, written } from './policy-fixtures.js';
import { times } from '../../../test/support/repetitions.js';

const limits = defaultPolicyFileLimits;
const library = process.env['BLOCKWORK_POLICY_LIBRARY'];
const folders = [process.env['BLOCKWORK_REAL_POLICIES'], library && join(library, 'policies')].filter(
  (folder) => folder !== undefined,
);

const applyEdits = (...args: Parameters<typeof applyingEdits>) => atOnce(applyingEdits(...args));

const context = () => ({ policyId: 'p', ids: newIds(), limits });

/** Different from those of the policies. */
function newIds() {
  const ids = countingIds();
  return { uuid: () => ids.uuid().replace('4000-8000', '4000-a000') };
}

const small = (): PolicyDefinition =>
  definitionOf({
    record: {
      name: 'Small',
      policyRoles: ['Producer', 'Verifier'],
      policyGroups: [{ name: 'Producers', creator: 'Producer' }],
      policyNavigation: [{ role: 'Producer', steps: [{ block: 'apply', level: 1, name: 'Apply' }] }],
    },
    config: source(
      'interfaceContainerBlock',
      'root',
      {},
      source('interfaceStepBlock', 'steps', { finalBlocks: ['apply'] }, source('requestVcDocumentBlock', 'apply')),
      source(
        'interfaceDocumentsSourceBlock',
        'grid',
        {
          uiMetaData: { fields: [{ name: 'a', bindBlock: 'apply' }], 1: 'number', type: 'grid' },
          events: [link('apply', 'RunEvent', 'grid', 'RefreshEvent'), link('grid', 'more', 'apply', 'RunEvent')],
        },
        source('buttonBlock', 'more'),
      ),
      source('tool', 'checks', { events: [link('checks', 'out', 'checks:inner', 'RunEvent')] }),
    ),
    schemas: [{ id: '#a', name: 'A', entity: 'VC', status: 'DRAFT', document: { $id: '#a' }, source: { iri: '#a' } }],
    tokens: [{ id: '0.0.1', tokenName: 'T', tokenSymbol: 'T', source: { tokenId: '0.0.1', tokenName: 'T' } }],
  });

const policies: [name: string, definition: () => PolicyDefinition][] = [
  ['a small policy', small],
  ...folders
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((path) => path.endsWith('.policy'))
    .map((path): [string, () => PolicyDefinition] => [
      basename(path),
      () => {
        const bytes = new Uint8Array(readFileSync(path));
        const { about, config, schemas, tokens } = readPolicyFile(bytes, { ids: countingIds() });
        return definitionOf({ record: about, config, schemas, tokens });
      },
    ]),
];

/** Numbers that are read as choices among what the definition has at that moment. */
interface Choice {
  readonly kind: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly value: fc.JsonValue;
}

const choices = fc.array(
  fc.record({ kind: fc.nat(13), a: fc.nat(), b: fc.nat(), c: fc.nat(), value: fc.jsonValue({ maxDepth: 2 }) }),
  { minLength: 1, maxLength: 12 },
);

const pick = <T>(items: readonly T[], at: number): T | undefined => items[at % Math.max(1, items.length)];

const lists = [
  'policyRoles',
  'policyGroups',
  'policyTopics',
  'policyNavigation',
  'categories',
  'schemas',
  'tokens',
] as const;

/** Every place in the options of a block. */
function pointers(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const pointer = `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    return ['/children', '/events', '/id', '/tag'].includes(pointer) ? [] : [pointer, ...pointers(member, pointer)];
  });
}

function operationFor(definition: PolicyDefinition, { kind, a, b, c, value }: Choice): EditOperation {
  const blocks = walkTree(definition.config).map(({ block }) => block);
  const block = pick(blocks, a) ?? definition.config;
  const other = pick(blocks, b) ?? definition.config;
  const path = pick(pointers(block), b) ?? '/none';
  const list = pick(lists, a) ?? 'categories';
  const entries: readonly unknown[] = definition[list];
  const entry = c % Math.max(1, entries.length);
  const reference = c % 2 === 0 && block.tag !== '' ? block.tag : block.id;
  const links = blocks.flatMap((each) => each.events.map((event) => ({ each, event })));
  const linked = pick(links, a);
  const subtree = written('informationBlock', `new ${String(c % 5)}`, {}, written('buttonBlock', ''));
  switch (kind) {
    case 0:
      return { op: 'addBlock', parent: reference, block: subtree as never, ...(b % 2 === 0 && { index: 0 }) };
    case 1:
      return { op: 'removeBlock', block: reference };
    case 2:
      return { op: 'moveBlock', block: block.id, parent: other.id, ...(c % 2 === 0 && { index: c % 3 }) };
    case 3:
      return { op: 'replaceBlock', block: block.id, value: subtree as never };
    case 4:
      return { op: 'setOption', block: reference, path, value };
    case 5:
      return {
        op: 'setOption',
        block: block.id,
        path: `/${pick(['title', 'a/b', '10', 'ui'], c) ?? ''}`.replace('a/b', 'a~1b'),
        value,
        before: pick(Object.keys(block), b) ?? '',
      };
    case 6:
      return { op: 'setOption', block: block.id, path, value, insert: true };
    case 7:
      return { op: 'unsetOption', block: block.id, path };
    case 8:
      return {
        op: 'renameTag',
        block: block.id,
        tag: c % 3 === 0 ? other.tag : `tag ${String(c % 4)}`,
        ...(c % 2 === 0 && { repeated: true }),
      };
    case 9:
      return {
        op: 'connect',
        block: block.id,
        link: { target: other.tag, output: 'RunEvent', input: 'RunEvent' },
        index: c % 4,
      };
    case 10:
      return {
        op: 'disconnect',
        block: linked?.each.id ?? 'none',
        link: { target: '', output: '', input: '', ...(linked && endsOf(linked.event)) },
      };
    case 11:
      return { op: 'removeEntry', list, entry };
    case 12:
      return { op: 'setEntry', list, entry, value: pick(entries, b) ?? `entry ${String(c)}` };
    default:
      return {
        op: 'addEntry',
        list,
        value:
          typeof entries[0] === 'string'
            ? `entry ${String(c)}`
            : { name: `n${String(c)}`, iri: `#${String(c)}`, tokenId: String(c) },
        index: b % 3,
      };
  }
}

const endsOf = ({
  source: from,
  target,
  output,
  input,
}: {
  source: string;
  target: string;
  output: string;
  input: string;
}) => ({
  source: from,
  target,
  output,
  input,
});

/** Applies the chosen operations one by one; those that are refused are left out. */
function played(definition: PolicyDefinition, chosen: readonly Choice[]) {
  const operations: EditOperation[] = [];
  const completed: EditOperation[] = [];
  const undo: (readonly EditOperation[])[] = [];
  const ids = context();
  let now = definition;
  for (const choice of chosen) {
    const operation = operationFor(now, choice);
    try {
      const edited = applyEdits(now, readOperations([operation], ids), ids);
      operations.push(operation);
      completed.push(...edited.applied.map((each) => each.operation));
      undo.unshift(edited.inverse);
      now = edited.definition;
    } catch (error) {
      if (!isBlockworkError(error, 'EDIT_INVALID')) throw error;
    }
  }
  return { operations, completed, undo, now };
}

const bytes = (value: unknown): string => JSON.stringify(value);
const throughJson = <T>(value: T): T => JSON.parse(bytes(value)) as T;

describe.each(policies)('%s', (_name, read) => {
  const definition = deepFreeze(read());
  const before = bytes(definition);
  const numRuns = before.length > 200_000 ? times(3, 10) : times(10, 40);

  test('the inverse of each operation restores the bytes before it', () => {
    fc.assert(
      fc.property(choices, (chosen) => {
        const { undo, now } = played(definition, chosen);
        let undone = now;
        for (const inverse of undo)
          undone = applyEdits(undone, readOperations(throughJson(inverse), context()), context()).definition;
        expect(bytes(undone)).toBe(before);
      }),
      { numRuns },
    );
  });

  test('a batch equals its operations one by one, and its inverse restores the bytes before it', () => {
    let applied = 0;
    fc.assert(
      fc.property(choices, (chosen) => {
        const { operations, completed, now } = played(definition, chosen);
        if (operations.length === 0) return;
        applied += operations.length;
        const batch = applyEdits(definition, operations, context());
        expect(bytes(batch.definition.schemas)).toBe(bytes(now.schemas));
        expect(withoutIds(batch.definition)).toBe(withoutIds(now));
        const repeated = applyEdits(definition, readOperations(throughJson(completed), context()), context());
        expect(bytes(repeated.definition)).toBe(bytes(now));
        const undone = applyEdits(
          repeated.definition,
          readOperations(throughJson(repeated.inverse), context()),
          context(),
        );
        expect(bytes(undone.definition)).toBe(before);
      }),
      { numRuns },
    );
    expect(applied).toBeGreaterThan(numRuns);
  });
});

/** Operations that were refused used up ids. */
const withoutIds = (definition: PolicyDefinition): string =>
  bytes(definition).replaceAll(/00000000-0000-4000-a000-\d{12}/g, 'new');
