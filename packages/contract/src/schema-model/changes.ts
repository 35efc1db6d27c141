/** Changes of one field, with the conditions that concern it. */
import { mapComparisons, type Condition } from './condition.js';
import type { SchemaModel } from './document.js';
import type { SchemaField } from './field.js';
import type { Asked, SchemaRule } from './rule.js';

/** The model with another field in place of the one with the key. Conditions follow its key, and whether it is required. */
export function changeField(model: SchemaModel, key: string, field: SchemaField): SchemaModel {
  const replaced = (each: Asked): Asked => (each.key === key ? { key: field.key, isRequired: field.isRequired } : each);
  const isSame = (each: Asked): boolean => each.key !== key || sameAsked(each, replaced(each));
  return {
    ...model,
    fields: model.fields.map((each) => (each.key === key ? field : each)),
    rules: model.rules.map((rule): SchemaRule => {
      if (rule.kind === 'kept') return rule;
      const isTested = field.key !== key && tests(rule.if, key);
      if (!isTested && rule.then.every(isSame) && rule.otherwise.every(isSame)) return rule;
      const test = mapComparisons(rule.if, (compared) =>
        compared.path[0] === key ? { ...compared, path: [field.key, ...compared.path.slice(1)] } : compared,
      );
      return { ...rule, if: test, then: rule.then.map(replaced), otherwise: rule.otherwise.map(replaced) };
    }),
  };
}

/** The model without the field, and without the conditions that test it: what they ask for is then always asked for. */
export function removeField(model: SchemaModel, key: string): SchemaModel {
  const others = (fields: readonly Asked[]): Asked[] => fields.filter((each) => each.key !== key);
  return {
    ...model,
    fields: model.fields.filter((each) => each.key !== key),
    rules: model.rules.flatMap((rule): SchemaRule[] => {
      if (rule.kind === 'kept') return [rule];
      if (tests(rule.if, key)) return [];
      const [then, otherwise] = [others(rule.then), others(rule.otherwise)];
      return then.length + otherwise.length === 0 ? [] : [{ ...rule, then, otherwise }];
    }),
  };
}

const sameAsked = (a: Asked, b: Asked): boolean => a.key === b.key && a.isRequired === b.isRequired;

function tests(condition: Condition, key: string): boolean {
  if (condition.kind === 'is') return condition.path[0] === key;
  return condition.kind === 'not' ? tests(condition.of, key) : condition.of.some((each) => tests(each, key));
}
