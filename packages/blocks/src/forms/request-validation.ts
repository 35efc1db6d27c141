/** `requestValidationAddon`: validates form data against existing documents of the policy. */
import {
  allOf,
  defineBlock,
  finding,
  isObject,
  nothing,
  sameJson,
  tolerant,
  valueAt,
  type Condition,
  type DocumentInput,
  type DocumentRecord,
  type Json,
  type RunContext,
} from '@blockwork/core/block';
import { z } from 'zod';

const { listOf, text } = tolerant;

const filter = z.strictObject({ field: text, type: text, typeValue: text, value: z.json().nullish() });
const condition = z.strictObject({
  field: text,
  fieldSource: text,
  type: text,
  value: z.json().nullish(),
  valueSource: text,
});

const options = z.strictObject({
  /**
   * The rules. `filters` select documents of the policy by values or, as `variable`, by fields of the form's document;
   * each of the `conditions` compares fields of the form's document, fields of the selected ones (`source`), and values.
   */
  validations: listOf(
    z.strictObject({ dbCollection: text, filters: listOf(filter), conditions: listOf(condition), failMessage: text }),
  ),
});
type Validation = z.infer<typeof options>['validations'][number];
type FormCondition = z.infer<typeof condition>;

const proposal = z.object({ document: z.custom<DocumentInput>(isObject) });

const collections = new Map<string, Json>([
  ['', 'vc-documents'],
  ['VcDocument', 'vc-documents'],
  ['VpDocument', 'vp-documents'],
]);
const filterTypes = ['equal', 'not_equal', 'in', 'not_in'];
const conditionTypes = [...filterTypes, 'gt', 'lt'];
/** Maximum number of documents per validation. */
const FOUND_AT_MOST = 1000;

export const requestValidationAddon = defineBlock({
  type: 'requestValidationAddon',
  title: 'Form validation',
  description: 'Accepts form data only if it is consistent with existing documents of the policy.',
  kind: 'addon',
  parents: ['requestVcDocumentBlock', 'requestVcDocumentBlockAddon'],
  options,
  check: (node, { validations }) =>
    validations.flatMap(({ dbCollection, filters, conditions }, at) => {
      const wrong = [
        ...(collections.has(dbCollection) ? [] : [dbCollection]),
        ...filters.map(({ type }) => type).filter((type) => !filterTypes.includes(type)),
        ...conditions.map(({ type }) => type).filter((type) => !conditionTypes.includes(type)),
      ];
      return wrong.map((name) =>
        finding(node, {
          path: `/validations/${String(at)}`,
          message: `Validation ${String(at)} of "${node.tag}" has the unknown value "${name}", so it rejects everything.`,
        }),
      );
    }),

  /** Throws if the document is invalid. */
  async assist(ctx, input) {
    const { document } = proposal.parse(input);
    for (const validation of ctx.options.validations) await demand(ctx, document, validation);
    return null;
  },
});

async function demand(ctx: RunContext, document: DocumentInput, validation: Validation): Promise<void> {
  const { filters, conditions, dbCollection, failMessage } = validation;
  const what = failMessage || 'Validation failed';
  const collection = collections.get(dbCollection);
  const where = allOf(
    ...filters.map((each) => conditionOf(each, document)),
    collection === undefined ? nothing : { path: 'dataType', op: 'eq', value: collection },
  );
  const documents = await ctx.documents.find(where, { limit: FOUND_AT_MOST });
  if (documents.length === 0)
    refuse(ctx, failMessage || 'Source document not found', 'no document matches the filters');
  const failed = conditions.find((each) => !holds(each, document, documents));
  if (failed !== undefined) refuse(ctx, what, `"${failed.field}" is not as it has to be`);
}

function conditionOf(
  { field: path, type, typeValue, value }: z.infer<typeof filter>,
  document: DocumentInput,
): Condition {
  const wanted =
    typeValue === 'variable' && typeof value === 'string' ? (valueAt(document, value) as Json | undefined) : value;
  if (wanted === undefined) return nothing;
  switch (type) {
    case 'equal':
      return { path, op: 'eq', value: wanted };
    case 'not_equal':
      return { path, op: 'ne', value: wanted };
    case 'in':
      return { path, op: 'in', value: listed(wanted) };
    case 'not_in':
      return { path, op: 'nin', value: listed(wanted) };
    default:
      return nothing;
  }
}

/** For selected documents: the list of values for `in` and `not_in`, otherwise the first value. */
function holds(
  { field, fieldSource, type, value, valueSource }: FormCondition,
  document: DocumentInput,
  documents: readonly DocumentRecord[],
): boolean {
  const isList = type === 'in' || type === 'not_in';
  const side = (source: string, value: Json | undefined): unknown => {
    if (source === 'value' || typeof value !== 'string') return value;
    if (source === 'document') return valueAt(document, value);
    const values = documents.map((each) => valueAt(each, value)).filter((each) => each !== undefined);
    return isList ? values.flat() : values[0];
  };
  const left = side(fieldSource || 'document', field);
  const right = side(valueSource || 'source', value ?? undefined);
  return compare(type, left, right);
}

function compare(type: string, left: unknown, right: unknown): boolean {
  switch (type) {
    case 'equal':
      return left !== undefined && sameJson(left, right);
    case 'not_equal':
      return !sameJson(left, right);
    case 'in':
      return listed(right).some((each) => sameJson(each, left));
    case 'not_in':
      return !listed(right).some((each) => sameJson(each, left));
    case 'gt':
      return order(left, right) > 0;
    case 'lt':
      return order(left, right) < 0;
    default:
      return false;
  }
}

/** `NaN` for values that have no order. */
function order(left: unknown, right: unknown): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left !== 'string' || typeof right !== 'string') return NaN;
  return left < right ? -1 : left > right ? 1 : 0;
}

function listed(value: unknown): Json[] {
  if (Array.isArray(value)) return value as Json[];
  return typeof value === 'string' ? value.split(',').map((part) => part.trim()) : [(value ?? null) as Json];
}

const refuse = (ctx: RunContext, what: string, why: string): never =>
  ctx.fail('DOCUMENT_REFUSED', { facts: { what, which: 'the document', why } });
