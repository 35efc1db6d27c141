/** A form of a policy for fields of any kind: its schema, what it begins with, and the send of its document. */
import type { BlockName } from '@blockwork/client';
import type { FormSchema } from '../form/fields.js';
import { type PresetField, presetValues } from '../form/presets.js';
import { type Slot, textOf } from '../slot.js';
import { openAnswer, useBlock } from './use-block.js';
import { useSend } from './use-send.js';

export interface FormBlock {
  readonly title: string;
  readonly description: string;
  /** Whether the block is read, and open to the person. */
  readonly isOpen: boolean;
  /** JSON Schema of the document. It stays while the block is closed, so that nothing typed is lost. */
  readonly schema: FormSchema;
  /** Names of fields that are not shown. */
  readonly hidden: readonly string[];
  /** Names of fields that are shown and cannot be changed. */
  readonly fixed: readonly string[];
  /** What the document begins with: what the policy takes over from the document that it refers to, or from the person. */
  readonly initial: () => Record<string, unknown>;
  readonly isSending: boolean;
  /** Whether the last send was committed. */
  readonly isSent: boolean;
  /** Of the last send. */
  readonly error: Error | null;
  /** Of the last read. */
  readonly readError: Error | null;
  readonly send: (document: unknown, onSent?: (result: unknown) => void) => void;
}

export interface FormBlockOptions {
  /** The document that the new one refers to, such as the row that the form was opened from. */
  readonly reference?: Readonly<Record<string, unknown>> | null;
  /** The name of the person, for fields that the policy has filled in with it; by default they are empty. */
  readonly username?: string;
}

interface FormAnswer extends Slot {
  readonly schema?: { readonly document?: FormSchema } | null;
  readonly hideFields?: readonly string[] | null;
  readonly presetFields?: readonly PresetField[] | null;
  readonly data?: Readonly<Record<string, unknown>> | null;
}

const noFields: FormSchema = {};
const none: readonly never[] = [];

/**
 * A `requestVcDocumentBlock` or its addon, by its tag or UUID, for a form library: `useForm` has fields of text.
 *
 * @example
 * const { schema, initial, error, send } = useFormBlock('sunlight', 'report');
 * return <MyForm schema={schema} begin={initial()} problems={error} onSubmit={(document) => send(document)} />;
 */
export function useFormBlock(
  policyId: string,
  block: BlockName,
  { reference, username }: FormBlockOptions = {},
): FormBlock {
  const query = useBlock<FormAnswer>(policyId, block);
  const { mutate, isPending, isSuccess, error } = useSend(policyId, block);
  const { schema, hideFields, presetFields, data, uiMetaData } = query.data ?? ({} as Partial<FormAnswer>);
  const document = schema?.document ?? noFields;
  const presets = presetFields ?? none;
  const source = reference ?? data ?? null;
  return {
    title: textOf(uiMetaData, 'title') || textOf(uiMetaData, 'content'),
    description: textOf(uiMetaData, 'description'),
    isOpen: openAnswer(query) !== undefined,
    schema: document,
    hidden: hideFields ?? none,
    fixed: presets.flatMap(({ name, readonly }) => (readonly === true ? name : [])),
    initial: () => presetValues(document, presets, source, username),
    isSending: isPending,
    isSent: isSuccess,
    error,
    readError: query.error,
    send: (values, onSent) => {
      mutate({ document: values, ref: source }, { onSuccess: (result) => onSent?.(result) });
    },
  };
}
