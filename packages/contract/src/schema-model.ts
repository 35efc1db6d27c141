/** `@blockwork/contract/schema-model`: schemas of policies as fields and conditions, from their documents and back. */
export { changeField, removeField } from './schema-model/changes.js';
export {
  comparison,
  keywordsOf,
  mapComparisons,
  readKeywords,
  type Comparison,
  type Condition,
  type Constant,
} from './schema-model/condition.js';
export { referencesIn, withDefinitions, type NestingSchema } from './schema-model/definitions.js';
export { emptyDocument, readSchema, refusedKeys, writeSchema, type SchemaModel } from './schema-model/document.js';
export { newField, readField, withType, writeField, type Bound, type SchemaField } from './schema-model/field.js';
export { fieldTypeNames, plainTypes, type FieldType, type FieldTypeFacts } from './schema-model/field-types.js';
export { commentOf, isObject, type Json } from './schema-model/json.js';
export { writtenMembers } from './records/written-members.js';
export type { Asked, ConditionRule, SchemaRule } from './schema-model/rule.js';
export { sentenceOf, wordsOf, type Naming } from './schema-model/sentences.js';
