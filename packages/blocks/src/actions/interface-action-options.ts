/** The options of `interfaceActionBlock`, and their checks. */
import { finding, nothing, tolerant, type BlockNode, type Condition, type Finding } from '@blockwork/core/block';
import { z } from 'zod';
import { undecided } from '../common/field-test.js';

const { listOf, listed, text } = tolerant;

const types = ['selector', 'dropdown', 'download'];

/** An option of a selector; `tag` is also the name of the output. */
const option = z.looseObject({ tag: text, name: text, value: z.json().nullish(), user: text });

export const interfaceActionOptions = z.object({
  /** `selector`, `dropdown` or `download`; any other does nothing. */
  type: listed(...types),
  /** Path in the document record where the choice is written. */
  field: text,
  /** Paths into the documents of a dropdown's own sources. */
  name: text,
  value: text,
  schema: text,
  targetUrl: text,
  user: text,
  uiMetaData: z
    .looseObject({ field: text, options: listOf(option) })
    .nullish()
    .transform((value) => value ?? { field: '', options: [] }),
});
export type InterfaceActionOptions = z.infer<typeof interfaceActionOptions>;

/** Older policies write the field beside the choices that it belongs to. */
export const fieldOf = ({ field, uiMetaData }: InterfaceActionOptions): string => field || uiMetaData.field;

/** Selects documents for which no option of a selector is chosen yet. A dropdown's choices depend on its documents. */
export const unchosenIn = (options: InterfaceActionOptions): Condition =>
  options.type === 'selector'
    ? undecided(
        fieldOf(options),
        options.uiMetaData.options.map(({ value }) => value),
      )
    : nothing;

export function interfaceActionFindings(node: BlockNode, options: InterfaceActionOptions): Finding[] {
  const { type } = options;
  if (!types.includes(type)) {
    const message = `"${node.tag}" has the type "${type}"; it must be one of ${types.join(', ')}.`;
    return [finding(node, { path: '/type', message })];
  }
  return required(options)
    .filter((member) => options[member] === '')
    .map((member) => finding(node, { path: `/${member}`, message: `The ${type} "${node.tag}" needs "${member}".` }));
}

function required({
  type,
  uiMetaData,
}: InterfaceActionOptions): ('field' | 'name' | 'value' | 'schema' | 'targetUrl')[] {
  if (type === 'download') return ['schema', 'targetUrl'];
  const field = uiMetaData.field === '' ? (['field'] as const) : [];
  return type === 'dropdown' ? [...field, 'name', 'value'] : [...field];
}
