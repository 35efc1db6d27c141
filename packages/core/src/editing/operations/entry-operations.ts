/** Operations on the texts and lists of a definition: roles, groups, topics, tokens, navigation, schemas. */
import type { EditedList } from '@blockwork/contract/edit-operations';
import { z } from 'zod';
import { describeDetails, toDetails } from '../../problem-details.js';
import {
  cloneJson,
  isObject,
  navigationEntry,
  policyGroup,
  policyToken,
  policyTopic,
  type JsonObject,
} from '../../records/index.js';
import type { Applied, OperationOf } from './applied.js';
import type { EditDraft } from './edit-draft.js';
import { entryPlace } from './places.js';

const name = z.string().min(1).max(500);

const shapes: Readonly<Record<EditedList, z.ZodType>> = {
  policyRoles: name,
  policyGroups: policyGroup,
  policyTopics: policyTopic,
  policyTokens: policyToken,
  policyNavigation: navigationEntry,
  categories: name,
  schemas: z.looseObject({}),
  tokens: z.looseObject({ tokenId: name }),
};

/** The IRI by which blocks name the schema; `undefined` if it has none. */
function schemaIri({ iri, document, uuid }: JsonObject): string | undefined {
  const ownIri = [iri, isObject(document) ? document['$id'] : undefined].find(
    (each) => typeof each === 'string' && each !== '',
  );
  if (typeof ownIri === 'string') return ownIri;
  return typeof uuid === 'string' && uuid !== '' ? `#${uuid}` : undefined;
}

/** What an entry of the list is called. */
function keyOf(list: EditedList, entry: unknown): string | undefined {
  if (typeof entry === 'string') return entry;
  if (!isObject(entry)) return undefined;
  if (list === 'schemas') return schemaIri(entry as JsonObject);
  const key = entry[keyMembers[list] ?? 'name'];
  return typeof key === 'string' && key !== '' ? key : undefined;
}

const keyMembers: Partial<Record<EditedList, string>> = {
  policyTokens: 'templateTokenTag',
  policyNavigation: 'role',
  tokens: 'tokenId',
};

/** Lists in which no two entries have one name. */
const distinct: readonly EditedList[] = ['policyRoles', 'schemas', 'tokens'];

export function setText(draft: EditDraft, { op, name: part, value }: OperationOf<'setText'>): Applied {
  const before = draft.definition[part];
  if (part === 'name' && value.trim() === '') draft.refuse('/value', 'a policy needs a name');
  draft.replace(part, value);
  return {
    operation: { op, name: part, value },
    inverse: { op, name: part, value: before },
    writes: [`/${part}`],
    reads: [],
  };
}

export function addEntry(draft: EditDraft, { op, list, value, index }: OperationOf<'addEntry'>): Applied {
  const entries = entriesOf(draft, list);
  assertEntry(draft, list, value, entries);
  const at = Math.min(index ?? entries.length, entries.length);
  entries.splice(at, 0, cloneJson(value));
  return {
    operation: { op, list, value, index: at },
    inverse: { op: 'removeEntry', list, entry: addressOf(list, entries, at) },
    writes: [placeOf(list, value, at)],
    reads: [],
  };
}

export function setEntry(draft: EditDraft, { op, list, entry, value }: OperationOf<'setEntry'>): Applied {
  const entries = entriesOf(draft, list);
  const at = find(draft, list, entries, entry);
  const before = entries[at];
  assertEntry(draft, list, value, entries.toSpliced(at, 1));
  const address = addressOf(list, entries, at);
  entries[at] = cloneJson(value);
  return {
    operation: { op, list, entry: address, value },
    inverse: { op, list, entry: addressOf(list, entries, at), value: before },
    writes: [placeOf(list, before, at), placeOf(list, value, at)],
    reads: [],
  };
}

export function removeEntry(draft: EditDraft, { op, list, entry }: OperationOf<'removeEntry'>): Applied {
  const entries = entriesOf(draft, list);
  const at = find(draft, list, entries, entry);
  const address = addressOf(list, entries, at);
  const [value] = entries.splice(at, 1);
  return {
    operation: { op, list, entry: address },
    inverse: { op: 'addEntry', list, value, index: at },
    writes: [placeOf(list, value, at)],
    reads: [],
  };
}

export function replaceList(draft: EditDraft, { op, list, value }: OperationOf<'replaceList'>): Applied {
  const before: unknown[] = draft.definition[list];
  value.forEach((entry, index) => assertEntry(draft, list, entry, value.slice(0, index), `/value/${String(index)}`));
  draft.replace(list, cloneJson(value) as never);
  return {
    operation: { op, list, value },
    inverse: { op, list, value: cloneJson(before) },
    writes: [`/${list}`],
    reads: [],
  };
}

const entriesOf = (draft: EditDraft, list: EditedList): unknown[] => draft.own(list);

function find(draft: EditDraft, list: EditedList, entries: readonly unknown[], entry: string | number): number {
  const at = typeof entry === 'number' ? entry : entries.findIndex((each) => keyOf(list, each) === entry);
  if (at < 0 || at >= entries.length) draft.refuse('/entry', `"${list}" has no entry ${JSON.stringify(entry)}`);
  return at;
}

/** By its name, unless an earlier entry has the same. */
function addressOf(list: EditedList, entries: readonly unknown[], at: number): string | number {
  const key = keyOf(list, entries[at]);
  return key !== undefined && entries.findIndex((each) => keyOf(list, each) === key) === at ? key : at;
}

const placeOf = (list: EditedList, entry: unknown, at: number): string => entryPlace(list, keyOf(list, entry) ?? at);

function assertEntry(
  draft: EditDraft,
  list: EditedList,
  value: unknown,
  others: readonly unknown[],
  member = '/value',
): void {
  const checked = shapes[list].safeParse(value);
  if (!checked.success) draft.refuse(member, describeDetails(toDetails(checked.error), 'the entry'));
  const key = keyOf(list, value);
  if (list === 'schemas' && key === undefined) draft.refuse(member, 'a schema needs an "iri"');
  if (distinct.includes(list) && others.some((other) => keyOf(list, other) === key)) {
    draft.refuse(member, `"${list}" has an entry "${String(key)}" already`);
  }
}
