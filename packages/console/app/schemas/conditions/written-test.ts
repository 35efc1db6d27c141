/** A test while it is written: groups of tests of fields, which may still miss their values. */
import { comparison, type Comparison, type Condition, type SchemaField } from '@blockwork/contract/schema-model';

export interface WrittenTest {
  readonly kind: 'test';
  readonly key: string;
  readonly isNot: boolean;
  readonly value: string;
}

export interface WrittenGroup {
  readonly kind: 'group';
  readonly of: 'all' | 'any';
  readonly parts: readonly WrittenPart[];
}

/** A test of another form, such as one of a nested field, which is kept as it is. */
export interface KeptTest {
  readonly kind: 'kept';
  readonly condition: Condition;
}

export type WrittenPart = WrittenTest | WrittenGroup | KeptTest;

export const emptyTest: WrittenTest = { kind: 'test', key: '', isNot: false, value: '' };

export function writtenGroup(condition: Condition | null): WrittenGroup {
  if (condition === null) return { kind: 'group', of: 'all', parts: [emptyTest] };
  const part = writtenPart(condition);
  return part.kind === 'group' ? part : { kind: 'group', of: 'all', parts: [part] };
}

function writtenPart(condition: Condition): WrittenPart {
  if (condition.kind === 'all' || condition.kind === 'any')
    return { kind: 'group', of: condition.kind, parts: condition.of.map(writtenPart) };
  const isNot = condition.kind === 'not';
  const compared = isNot ? condition.of : condition;
  if (compared.kind !== 'is' || !isPlain(compared)) return { kind: 'kept', condition };
  return { kind: 'test', key: compared.path[0] ?? '', isNot, value: String(compared.value) };
}

const isPlain = ({ path, of, orUnanswered }: Comparison): boolean =>
  path.length === 1 && of === undefined && orUnanswered === undefined;

/** `undefined` while a test misses its field or its value. A group of one is that one. */
export function conditionOf({ of, parts }: WrittenGroup, fields: readonly SchemaField[]): Condition | undefined {
  const read = parts.map((part) => partOf(part, fields));
  const conditions = read.filter((each) => each !== undefined);
  if (conditions.length === 0 || conditions.length < read.length) return undefined;
  return conditions.length === 1 ? conditions[0] : { kind: of, of: conditions };
}

function partOf(part: WrittenPart, fields: readonly SchemaField[]): Condition | undefined {
  if (part.kind === 'kept') return part.condition;
  if (part.kind === 'group') return conditionOf(part, fields);
  const field = fields.find(({ key }) => key === part.key);
  const value = field && constantOf(part.value, field);
  if (field === undefined || value === undefined) return undefined;
  const test = comparison(field.key, value);
  const compared: Condition = field.isList ? { ...test, of: 'any' } : test;
  return part.isNot ? { kind: 'not', of: compared } : compared;
}

/** In the type of the answers of the field. */
function constantOf(text: string, { type, choices }: SchemaField): string | number | boolean | undefined {
  if (text === '') return undefined;
  if (type === 'Boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  if (type === 'Number' || type === 'Integer') return Number.isFinite(Number(text)) ? Number(text) : undefined;
  const choice: unknown = choices?.find((each) => String(each) === text);
  return typeof choice === 'number' ? choice : text;
}
