/** What the schema editor does with schemas: stores, undoes, reads what is pasted, and writes tests of conditions. */
import {
  comparison,
  emptyDocument,
  newField,
  readSchema,
  writeSchema,
  type Condition,
} from '@blockwork/contract/schema-model';
import { describe, expect, it } from 'vitest';
import { exampleOf } from '../app/schemas/beside/example.js';
import { fieldChanges } from '../app/schemas/beside/field-changes.js';
import { conditionOf, emptyTest, writtenGroup } from '../app/schemas/conditions/written-test.js';
import { isStored, nextDraft, type DraftAction, type DraftState } from '../app/schemas/draft/draft-state.js';
import {
  blocksUsing,
  entriesOf,
  keyFor,
  operationsBetween,
  schemasNesting,
  type Entry,
} from '../app/schemas/draft/entries.js';
import { pastedFields } from '../app/schemas/fields/pasted-fields.js';

const entry = (iri: string, name = iri): Entry => ({ iri, name, document: emptyDocument(iri, name, '', 'VC') });
const [a, b, c] = [entry('#a'), entry('#b'), entry('#c')];

describe('the schemas of a draft', () => {
  it('are those with a document, each by its IRI', () => {
    const { iri: _, ...named } = a;
    expect(entriesOf([named, { iri: '#none' }, 'text', b]).map(({ iri }) => iri)).toEqual(['#a', '#b']);
  });

  it('are stored by the operations that lead from one list to the other', () => {
    expect(operationsBetween([a, b], [{ ...b, name: 'B' }, c])).toEqual([
      { op: 'removeEntry', list: 'schemas', entry: '#a' },
      { op: 'setEntry', list: 'schemas', entry: '#b', value: { ...b, name: 'B' } },
      { op: 'addEntry', list: 'schemas', value: c },
    ]);
    expect(operationsBetween([a], [{ ...a }])).toEqual([]);
  });

  it('are used by blocks that name them, and by schemas that nest them', () => {
    const child = { id: '2', tag: 'form', schema: '#a', children: [] };
    const config = {
      id: '1',
      tag: 'root',
      children: [child, { id: '3', tag: 'row', uiMetaData: { fields: [{ x: 'a' }] } }],
    };
    expect(blocksUsing(config, '#a').map(({ tag }) => tag)).toEqual(['form', 'row']);
    const nesting = { ...newField('at', 'At', 'Reference'), reference: '#a' };
    const outer = { ...b, document: writeSchema({ ...readSchema(b.document), fields: [nesting] }) };
    expect(schemasNesting([a, outer, c], '#a')).toEqual([outer]);
  });

  it('give each new field a key of its own, made of its question', () => {
    expect(keyFor('Where is it?', new Set())).toBe('whereIsIt');
    expect(keyFor('Where is it?', new Set(['whereIsIt', 'whereIsIt2']))).toBe('whereIsIt3');
    expect(keyFor('???', new Set())).toBe('field');
  });
});

describe('changes of a draft', () => {
  const after = (...actions: readonly DraftAction[]): DraftState | null =>
    actions.reduce<DraftState | null>(nextDraft, null);
  const read: DraftAction = { type: 'read', entries: [a], revision: 1 };
  const [one, two] = [
    [a, b],
    [a, b, c],
  ];
  const change = (entries: readonly Entry[], place: string | null = null): DraftAction => ({
    type: 'change',
    entries,
    place,
  });

  it('are undone and made again one by one, and those of one input as one', () => {
    const typed = after(read, change(one, 'name'), change(two, 'name'));
    expect(nextDraft(typed, { type: 'undo' })?.entries).toEqual([a]);
    const steps = after(read, change(one), change(two), { type: 'undo' });
    expect(steps?.entries).toBe(one);
    expect(nextDraft(steps, { type: 'redo' })?.entries).toBe(two);
    expect(nextDraft(nextDraft(steps, change([b])), { type: 'redo' })?.entries).toEqual([b]);
  });

  it('are stored, while others are typed; what others changed is taken over when nothing is waiting', () => {
    const stored = after(read, change(one), change(two), { type: 'stored', entries: one, revision: 2 });
    expect([stored?.entries, stored && isStored(stored)]).toEqual([two, false]);
    const theirs: DraftAction = { type: 'read', entries: [c], revision: 3 };
    expect(nextDraft(stored, theirs)?.entries).toBe(two);
    const idle = nextDraft(stored, { type: 'stored', entries: two, revision: 3 });
    expect(nextDraft(idle, { type: 'read', entries: [c], revision: 2 })?.entries).toBe(two);
    expect(nextDraft(idle, theirs)?.entries).toEqual([c]);
  });
});

it('lines that are pasted are fields: a question, and what other cells say', () => {
  expect(pastedFields('Name\r\nMass\tnumber\tt\tyes\n\tText\nKind\tchoice\nOdd\tunheard of')).toEqual([
    { question: 'Name', type: 'String', isRequired: false },
    { question: 'Mass', type: 'Number', unit: 't', isRequired: true },
    { question: 'Kind', type: 'Enum', isRequired: false },
    { question: 'Odd', type: 'String', isRequired: false },
  ]);
});

describe('a test that is written', () => {
  const fields = [
    { ...newField('kind', 'Kind', 'Enum'), choices: ['Sun', 2] },
    newField('open', 'Open', 'Boolean'),
    newField('mass', 'Mass', 'Number'),
    { ...newField('tags', 'Tags'), isList: true },
  ];

  it('is the same when it is edited and left alone', () => {
    const tests: Condition[] = [
      comparison('kind', 'Sun'),
      { kind: 'not', of: comparison('open', true) },
      {
        kind: 'any',
        of: [comparison('mass', 3), { kind: 'all', of: [comparison('kind', 2), comparison('open', false)] }],
      },
      { kind: 'is', path: ['place', 'town'], value: 'Ulm' },
    ];
    for (const test of tests) expect(conditionOf(writtenGroup(test), fields)).toEqual(test);
  });

  it('is none until each part has its field and a value that the field can have', () => {
    const group = (...parts: { key: string; value: string }[]) => ({
      ...({ kind: 'group', of: 'all' } as const),
      parts: parts.map((part) => ({ ...emptyTest, ...part })),
    });
    expect(conditionOf(writtenGroup(null), fields)).toBeUndefined();
    expect(conditionOf(group({ key: 'mass', value: 'heavy' }), fields)).toBeUndefined();
    expect(conditionOf(group({ key: 'open', value: 'true' }, { key: 'gone', value: 'x' }), fields)).toBeUndefined();
    expect(conditionOf(group({ key: 'tags', value: 'x' }), fields)).toEqual({ ...comparison('tags', 'x'), of: 'any' });
  });
});

it('an example has the examples of the fields, or values of their types', () => {
  const inner = writeSchema({
    ...readSchema(emptyDocument('#in', 'In', '', 'NONE')),
    fields: [newField('town', 'Town')],
  });
  const document = {
    ...writeSchema({
      ...readSchema(a.document),
      fields: [
        { ...newField('name', 'Name'), examples: ['Mill'] },
        { ...newField('kind', 'Kind', 'Enum'), choices: ['Sun'] },
        { ...newField('since', 'Since', 'Date'), isList: true },
        { ...newField('at', 'At', 'Reference'), reference: '#in' },
        { ...newField('total', 'Total', 'Number'), isCalculated: true },
      ],
    }),
    $defs: { '#in': inner },
  };
  expect(exampleOf(document)).toEqual({ name: 'Mill', kind: 'Sun', since: ['2024-05-01'], at: { town: 'Town' } });
});

it('what differs from the published version is told by field, and whether conditions do', () => {
  const model = (...fields: Parameters<typeof newField>[]) =>
    readSchema(writeSchema({ ...readSchema(a.document), fields: fields.map((field) => newField(...field)) }));
  expect(fieldChanges(model(['x', 'X'], ['y', 'Y']), model(['y', 'Why'], ['z', 'Z']))).toEqual({
    ...{ added: ['Z (z)'], removed: ['X (x)'], changed: ['Why (y)'], hasOtherRules: false },
  });
});
