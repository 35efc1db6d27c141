/** A form of a policy without its looks: fields, what is typed into them, and what the server says of it. */
import { BlockworkApiError, type BlockName } from '@blockwork/client';
import { useMemo, useState } from 'react';
import {
  documentOf,
  type FieldFacts,
  fieldsOf,
  type FormSchema,
  problemsOf,
  type Typed,
  typedIn,
} from '../form/fields.js';
import { type Slot, textOf } from '../slot.js';
import { openAnswer, useBlock } from './use-block.js';
import { useSend } from './use-send.js';

export interface FormField extends FieldFacts {
  /** What is typed; `''` for an empty field, `'true'` or `'false'` of a boolean. */
  readonly text: string;
  /** What the server said of it with the last send; `''` if nothing. */
  readonly problem: string;
  readonly change: (text: string) => void;
}

export interface Form {
  readonly title: string;
  readonly description: string;
  /** Empty until the block is read, and while it is closed to the person. */
  readonly fields: readonly FormField[];
  readonly isOpen: boolean;
  readonly isSending: boolean;
  /** Whether the last send was committed and nothing was typed since. */
  readonly isSent: boolean;
  /** Of the read or the send; problems of fields are also at the fields. */
  readonly error: Error | null;
  /** Sends the document; after the commit, the form is empty again. */
  readonly submit: () => void;
}

interface FormAnswer extends Slot {
  readonly schema?: { readonly document?: FormSchema } | null;
  readonly hideFields?: readonly string[] | null;
  readonly data?: unknown;
}

export interface FormOptions {
  /** The document that the new one refers to, such as the row that the form was opened from. */
  readonly reference?: unknown;
  readonly onSent?: (result: unknown) => void;
}

const noFields: FormSchema = {};

/**
 * A `requestVcDocumentBlock`, by its tag or UUID.
 *
 * @example
 * const form = useForm('sunlight', 'report');
 * return form.fields.map(({ path, title, text, problem, change }) => (
 *   <label key={path}>{title} <input value={text} onChange={(event) => change(event.target.value)} /> {problem}</label>
 * ));
 */
export function useForm(policyId: string, block: BlockName, { reference, onSent }: FormOptions = {}): Form {
  const query = useBlock<FormAnswer>(policyId, block);
  const send = useSend(policyId, block);
  const [typed, setTyped] = useState<Typed>({});
  const answer = openAnswer(query);
  const schema = answer?.schema?.document ?? noFields;
  const hidden = JSON.stringify(answer?.hideFields ?? []);
  const facts = useMemo(() => fieldsOf(schema, JSON.parse(hidden) as string[]), [schema, hidden]);
  const { error } = send;
  const problems = useMemo(() => problemsOf(error instanceof BlockworkApiError ? error.details : []), [error]);
  const text = (member: string): string => textOf(answer?.uiMetaData, member);
  return {
    title: text('title') || text('content'),
    description: text('description'),
    isOpen: answer !== undefined,
    isSending: send.isPending,
    isSent: send.isSuccess && Object.keys(typed).length === 0,
    error: error ?? query.error,
    fields: facts.map((field) => ({
      ...field,
      text: typedIn(typed, field),
      problem: problems.get(field.path) ?? '',
      change: (value) => {
        setTyped((before) => ({ ...before, [field.path]: value }));
      },
    })),
    submit: () => {
      const data = { document: documentOf(facts, typed), ref: reference ?? answer?.data ?? null };
      send.mutate(data, {
        onSuccess: (result) => {
          setTyped({});
          onSent?.(result);
        },
      });
    },
  };
}
