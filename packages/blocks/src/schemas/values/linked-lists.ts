/** Lists of a subject that must have as many entries as another one, as the comment of its schema says. */
import { isObject, type ErrorDetail, type JsonObject } from '@blockwork/core/block';
import { commentOf } from '../schema-fields.js';

interface Link {
  readonly field: readonly string[];
  readonly on: readonly string[];
}

/** `where`: JSON pointer of the subject within the input. */
export function unequalLists(schema: JsonObject, subject: JsonObject, where: string): ErrorDetail[] {
  return linksIn(schema).flatMap(({ field, on }) => {
    const [own, other] = [lengthAt(subject, field), lengthAt(subject, on)];
    if (own === undefined || other === undefined || own === other) return [];
    const path = `${where}/${field.map((name) => name.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;
    return [
      { path, message: `must have as many entries as ${on.join('.')}, ${String(other)}, but has ${String(own)}` },
    ];
  });
}

function linksIn(schema: JsonObject): Link[] {
  const { arrayDependencies } = commentOf(schema);
  if (!Array.isArray(arrayDependencies)) return [];
  return arrayDependencies.filter((each): each is Link => isObject(each) && isPath(each.field) && isPath(each.on));
}

const isPath = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((step) => typeof step === 'string');

/** A list that is not there has no entries; `undefined` where there is something else. */
function lengthAt(subject: JsonObject, path: readonly string[]): number | undefined {
  let value: unknown = subject;
  for (const name of path) {
    if (value === undefined) return 0;
    if (!isObject(value)) return undefined;
    value = Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value === undefined ? 0 : Array.isArray(value) ? value.length : undefined;
}
