/** A form of a policy without its looks: fields, what is typed into them, and what the server says of it. */
import { BlockworkApiError, type BlockName } from '@blockwork/client';
import { useMemo, useState } from 'react';
import { documentOf, type FieldFacts, fieldsOf, problemsOf, textIn, type Typed, typedIn } from '../form/fields.js';
import { type FormBlockOptions, useFormBlock } from './use-form-block.js';

export interface FormField extends FieldFacts {
  /** What is typed, or what the form begins with; `''` for an empty field, `'true'` or `'false'` of a boolean. */
  readonly text: string;
  /** Shown, and not to be changed. */
  readonly isFixed: boolean;
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
  /** Sends the document; after the commit, the form is as it began. */
  readonly submit: () => void;
}

export interface FormOptions extends FormBlockOptions {
  readonly onSent?: (result: unknown) => void;
}

/**
 * A `requestVcDocumentBlock`, by its tag or UUID.
 *
 * @example
 * const form = useForm('sunlight', 'report');
 * return form.fields.map(({ path, title, text, problem, change }) => (
 *   <label key={path}>{title} <input value={text} onChange={(event) => change(event.target.value)} /> {problem}</label>
 * ));
 */
export function useForm(policyId: string, block: BlockName, { onSent, ...options }: FormOptions = {}): Form {
  const { title, description, isOpen, schema, hidden, fixed, isSending, isSent, error, ...form } = useFormBlock(
    policyId,
    block,
    options,
  );
  const [typed, setTyped] = useState<Typed>({});
  const facts = useMemo(() => (isOpen ? fieldsOf(schema, hidden) : []), [isOpen, schema, hidden]);
  const problems = useMemo(() => problemsOf(error instanceof BlockworkApiError ? error.details : []), [error]);
  const initial = form.initial();
  return {
    ...{ title, description, isOpen, isSending },
    isSent: isSent && Object.keys(typed).length === 0,
    error: error ?? form.readError,
    fields: facts.map((field) => ({
      ...field,
      text: typedIn(typed, field) ?? textIn(initial, field),
      isFixed: fixed.includes(field.names[0] ?? ''),
      problem: problems.get(field.path) ?? '',
      change: (value) => {
        setTyped((before) => ({ ...before, [field.path]: value }));
      },
    })),
    submit: () => {
      form.send(documentOf(facts, typed, initial), (result) => {
        setTyped({});
        onSent?.(result);
      });
    },
  };
}
