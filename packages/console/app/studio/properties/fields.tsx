/** The fields that properties are made of. */
import { useId, useState, type ReactNode } from 'react';
import type { Edits } from '../draft/operations.js';
import { useStudio } from '../studio-context.js';
import { studioTexts } from '../texts.js';
import { useChosen, useTyped } from './use-typed.js';
import type { Choice } from './references.js';

const texts = studioTexts.properties;

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly children: (ids: { readonly id: string; readonly hintId: string | undefined }) => ReactNode;
}

/** A label above its field, and what it means below. */
export function Field({ label, hint, children }: FieldProps): ReactNode {
  const id = useId();
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  return (
    <div className="property">
      <label htmlFor={id}>{label}</label>
      {children({ id, hintId })}
      {hint !== undefined && (
        <p id={hintId} className="hint">
          <Hint text={hint} />
        </p>
      )}
    </div>
  );
}

/** What is between backticks is code. */
export const Hint = ({ text }: { readonly text: string }): ReactNode =>
  text.split('`').map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part));

interface TextProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly value: string;
  readonly placeholder?: string | undefined;
  readonly isLong?: boolean;
  /** Values to choose from, besides what one types. */
  readonly choices?: readonly Choice[];
  readonly problem?: (text: string) => string | undefined;
  /** The edits that save it. */
  readonly edits: (text: string) => Edits;
}

export function TextField({
  label,
  hint,
  value,
  placeholder,
  isLong = false,
  choices,
  problem,
  edits,
}: TextProps): ReactNode {
  const { isReadOnly } = useStudio();
  const typed = useTyped(value, (text) => (problem?.(text) === undefined ? edits(text) : []));
  const listId = useId();
  const wrong = problem?.(typed.value);
  const shared = {
    placeholder,
    readOnly: isReadOnly,
    'aria-invalid': wrong !== undefined || undefined,
    value: typed.value,
    onBlur: typed.onBlur,
    onKeyDown: typed.onKeyDown,
  };
  return (
    <Field label={label} hint={hint}>
      {({ id, hintId }) => (
        <>
          {isLong ? (
            <textarea
              {...shared}
              id={id}
              aria-describedby={hintId}
              rows={Math.min(14, Math.max(3, typed.value.split('\n').length))}
              onChange={(event) => {
                typed.onChange(event.target.value);
              }}
            />
          ) : (
            <input
              {...shared}
              id={id}
              aria-describedby={hintId}
              list={choices === undefined ? undefined : listId}
              onChange={(event) => {
                typed.onChange(event.target.value);
              }}
            />
          )}
          {choices !== undefined && (
            <datalist id={listId}>
              {choices.map((each) => (
                <option key={each.value} value={each.value}>
                  {each.label}
                </option>
              ))}
            </datalist>
          )}
          {wrong !== undefined && (
            <p className="problem" role="alert">
              {wrong}
            </p>
          )}
        </>
      )}
    </Field>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly value: string;
  readonly choices: readonly Choice[];
  /** What it means to choose nothing; without it, something is chosen. */
  readonly unset?: string;
  readonly onSave: (value: string) => Promise<unknown>;
}

export function ChoiceField({ label, hint, value: saved, choices, unset, onSave }: ChoiceProps): ReactNode {
  const { isReadOnly } = useStudio();
  const [value, choose] = useChosen(saved, onSave);
  const isKnown = value === '' || choices.some((choice) => choice.value === value);
  return (
    <Field label={label} hint={hint}>
      {({ id, hintId }) => (
        <select
          id={id}
          aria-describedby={hintId}
          disabled={isReadOnly}
          value={value}
          onChange={(event) => {
            choose(event.target.value);
          }}
        >
          {unset !== undefined && <option value="">{unset}</option>}
          {!isKnown && <option value={value}>{value}</option>}
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface FlagProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly value: boolean;
  readonly onSave: (value: boolean) => Promise<unknown>;
}

export function FlagField({ label, hint, value, onSave }: FlagProps): ReactNode {
  const hintId = useId();
  return (
    <div className="property">
      <Tick {...{ label, value, onSave }} hintId={hint === undefined ? undefined : hintId} />
      {hint !== undefined && (
        <p id={hintId} className="hint">
          <Hint text={hint} />
        </p>
      )}
    </div>
  );
}

interface TickProps {
  readonly label: string;
  readonly hintId?: string | undefined;
  readonly value: boolean;
  readonly onSave: (value: boolean) => Promise<unknown>;
  /** After the label. */
  readonly children?: ReactNode;
}

export function Tick({ label, hintId, value, onSave, children }: TickProps): ReactNode {
  const { isReadOnly } = useStudio();
  const [isOn, choose] = useChosen(value, onSave);
  return (
    <label className="flag">
      <input
        type="checkbox"
        disabled={isReadOnly}
        aria-describedby={hintId}
        checked={isOn}
        onChange={(event) => {
          choose(event.target.checked);
        }}
      />{' '}
      {label}
      {children}
    </label>
  );
}

interface JsonProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly value: unknown;
  /** The edits that save it; `undefined` removes it. */
  readonly edits: (value: unknown) => Edits;
}

const writtenJson = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, null, 2));

/** Any value as JSON; an empty text removes it. What is no JSON is not saved. */
export function JsonField({ label, hint, value, edits }: JsonProps): ReactNode {
  const problem = (text: string): string | undefined =>
    text.trim() === '' || isJson(text) ? undefined : texts.notJson;
  return (
    <TextField
      isLong
      {...{ label, hint, problem }}
      value={writtenJson(value)}
      edits={(text) => edits(text.trim() === '' ? undefined : JSON.parse(text))}
    />
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

interface AddProps {
  readonly label: string;
  /** Id of a list of proposals. */
  readonly listId?: string;
  readonly onAdd: (text: string) => void;
}

/** A line to add something by its name. */
export function AddLine({ label, listId, onAdd }: AddProps): ReactNode {
  const [text, setText] = useState('');
  return (
    <form
      className="add-line"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() === '') return;
        onAdd(text.trim());
        setText('');
      }}
    >
      <input
        aria-label={label}
        placeholder={label}
        list={listId}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
        }}
      />
      <button type="submit">{texts.add}</button>
    </form>
  );
}
