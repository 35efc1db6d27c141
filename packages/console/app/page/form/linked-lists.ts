/** Lists that always have as many entries as another one, as the comment of the schema says. */
import type { RJSFSchema, UiSchema } from '@rjsf/utils';
import { commentOf, isObject } from './form-conditions.js';

type Values = Record<string, unknown>;

interface Link {
  readonly field: readonly string[];
  readonly on: readonly string[];
}

export function linksIn(document: RJSFSchema): Link[] {
  const { arrayDependencies } = commentOf(document);
  if (!Array.isArray(arrayDependencies)) return [];
  const isPath = (value: unknown): boolean => Array.isArray(value) && value.length > 0;
  return arrayDependencies.filter(
    (each): each is Link => isObject(each) && isPath(each['field']) && isPath(each['on']),
  );
}

/** The values with entries added and removed. */
export const withLinkedLists = (links: readonly Link[], values: Values): Values =>
  links.reduce((next, { field, on }) => {
    const wanted = valueAt(next, on);
    const list = valueAt(next, field);
    const length = Array.isArray(wanted) ? wanted.length : 0;
    const own: readonly unknown[] = Array.isArray(list) ? list : [];
    if (own.length === length) return next;
    const more = Array.from({ length: Math.max(0, length - own.length) }, () => undefined);
    return withValueAt(next, field, [...own.slice(0, length), ...more]) as Values;
  }, values);

/** Without buttons to add and remove entries. */
export const linkedListsUi = (links: readonly Link[]): UiSchema =>
  links.reduce<UiSchema>((ui, { field }) => {
    const options = { addable: false, removable: false, orderable: false };
    return withValueAt(ui, [...field, 'ui:options'], options) as UiSchema;
  }, {});

const valueAt = (values: Values, path: readonly string[]): unknown =>
  path.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), values);

function withValueAt(at: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  const members = isObject(at) ? at : {};
  return { ...members, [name]: withValueAt(members[name], rest, value) };
}
