/** A form in plain elements. */
import { type ReactNode, useId } from 'react';
import { type FormField, useForm } from '../hooks/use-form.js';
import { titleOf } from '../slot.js';
import { type BlockViewProps, Failure, usePolicyId } from './views.js';

export function FormView({ block }: BlockViewProps): ReactNode {
  const form = useForm(usePolicyId(), { uuid: block.id });
  if (!form.isOpen) return null;
  return (
    <form
      className="blockwork-block"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        form.submit();
      }}
    >
      <h2>{form.title || titleOf(block)}</h2>
      {form.description !== '' && <p>{form.description}</p>}
      {form.fields.map((field) => (
        <Field key={field.path} field={field} />
      ))}
      <button type="submit" disabled={form.isSending}>
        Send
      </button>
      <Failure error={form.error} />
      {form.isSent && <p role="status">Sent.</p>}
    </form>
  );
}

function Field({ field }: { readonly field: FormField }): ReactNode {
  const { title, description, isRequired, problem } = field;
  const id = useId();
  return (
    <p className="blockwork-field">
      <label htmlFor={id}>{isRequired ? `${title} *` : title}</label> <Input id={id} field={field} />
      <small id={`${id}-said`}>{problem || description}</small>
    </p>
  );
}

const inputTypes = { date: 'date', text: 'text', number: 'text', integer: 'text', json: 'text' } as const;

function Input({ id, field }: { readonly id: string; readonly field: FormField }): ReactNode {
  const { kind, text, problem, choices, isFixed, change } = field;
  const common = { id, 'aria-describedby': `${id}-said`, 'aria-invalid': problem !== '' };
  if (kind === 'boolean' || kind === 'choice') {
    return (
      <select
        {...common}
        disabled={isFixed}
        value={text}
        onChange={(event) => {
          change(event.target.value);
        }}
      >
        <option value="" />
        {kind === 'choice' ? choices.map((choice) => <option key={choice}>{choice}</option>) : yesOrNo}
      </select>
    );
  }
  return (
    <input
      {...common}
      type={inputTypes[kind]}
      readOnly={isFixed}
      inputMode={kind === 'number' || kind === 'integer' ? 'decimal' : undefined}
      value={text}
      onChange={(event) => {
        change(event.target.value);
      }}
    />
  );
}

const yesOrNo = [
  <option key="true" value="true">
    Yes
  </option>,
  <option key="false" value="false">
    No
  </option>,
];
