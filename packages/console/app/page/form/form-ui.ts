/** Which widget each field of a form gets, and the order of the fields. */
import { isPlace } from '@blockwork/react';
import type { RJSFSchema, UiSchema } from '@rjsf/utils';
import { commentOf, FIELD_ORDER, isObject, type Schema } from './form-conditions.js';
import { withConditions } from './form-schema.js';
import { linkedListsUi, linksIn } from './linked-lists.js';

/** UI options per definition. */
const definitionsUi = (document: RJSFSchema): UiSchema =>
  Object.fromEntries(
    Object.values(document['$defs'] ?? {}).map((definition, at) => {
      const isOfPlace = isPlace(definition as RJSFSchema);
      const ui = isOfPlace ? { 'ui:field': 'place' } : { 'ui:field': 'part', ...fieldsUi(definition as Schema) };
      return [`#/definitions/d${String(at)}`, ui];
    }),
  );

/** Help texts, hidden fields, and the order of the fields of an object, those of its conditions among the others. */
function fieldsUi(schema: Schema): UiSchema {
  const all = allFields(schema);
  const names = (schema[FIELD_ORDER] ?? Object.keys(all)) as readonly string[];
  const fields = names.map((name): [string, unknown] => [name, all[name]]);
  const ui: UiSchema = {};
  for (const [name, field] of fields) {
    if (!isObject(field)) continue;
    if (field['type'] === 'null') ui[name] = { 'ui:field': 'help' };
    if (commentOf(field)['hidden'] === true) ui[name] = { 'ui:widget': 'hidden' };
  }
  const position = (field: unknown): number => Number(commentOf(field)['orderPosition']) || -1;
  const sorted = fields.sort(([, one], [, two]) => position(one) - position(two));
  return { ...ui, 'ui:order': [...sorted.map(([name]) => name), '*'] };
}

const allFields = (schema: Schema): Record<string, unknown> => {
  const branches = [schema.then, schema.else, ...(schema.allOf ?? [])].filter((each) => typeof each === 'object');
  return Object.assign({}, ...branches.map((each) => allFields(each as Schema)), schema.properties) as Record<
    string,
    unknown
  >;
};

/** `fixed`: read-only fields. */
export const formUi = (written: RJSFSchema, submitText: string, fixed: readonly string[]): UiSchema => {
  const document = withConditions(written);
  return {
    ...fieldsUi(document),
    ...linkedListsUi(linksIn(document)),
    'ui:definitions': definitionsUi(document),
    'ui:submitButtonOptions': { submitText, props: { className: 'primary' } },
    ...Object.fromEntries(fixed.map((name) => [name, { 'ui:readonly': true }])),
  };
};
