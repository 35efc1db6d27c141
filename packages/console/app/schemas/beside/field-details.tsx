/** All that can be said of one field. */
import { refusedKeys, type Bound, type SchemaField } from '@blockwork/contract/schema-model';
import { useState, type ReactNode } from 'react';
import { schemaTexts } from '../schema-texts.js';

const texts = schemaTexts.details;

interface DetailsProps {
  readonly field: SchemaField;
  /** The keys of all fields. */
  readonly takenKeys: readonly string[];
  /** `null` where nothing can be changed. */
  readonly onChange: ((field: SchemaField, place?: string) => void) | null;
}

const numbers: readonly Bound[] = ['minimum', 'maximum'];
const lengths: readonly Bound[] = ['minLength', 'maxLength'];
const counts: readonly Bound[] = ['minItems', 'maxItems'];

export function FieldDetails({ field, takenKeys, onChange }: DetailsProps): ReactNode {
  const isReadOnly = onChange === null;
  const change = (changed: SchemaField, member: string): void => onChange?.(changed, `${member} ${field.key}`);
  const isNumber = field.type === 'Number' || field.type === 'Integer';
  const bounds = [
    ...(isNumber ? numbers : field.type === 'String' ? lengths : []),
    ...(field.isList ? counts : []),
  ] as (keyof typeof texts.bounds)[];
  return (
    <div className="stack field-details">
      <h2>{field.question}</h2>
      <KeyInput
        field={field}
        takenKeys={takenKeys}
        isReadOnly={isReadOnly}
        onChange={(key) => onChange?.({ ...field, key })}
      />
      <TextInput
        label={texts.title}
        text={field.title}
        isReadOnly={isReadOnly}
        onChange={(title) => {
          change({ ...field, title }, 'title');
        }}
      />
      {field.type === 'Enum' && field.choices !== undefined && (
        <label>
          {texts.choices}
          <textarea
            rows={5}
            defaultValue={field.choices.map(String).join('\n')}
            readOnly={isReadOnly}
            onChange={(event) => {
              const choices = event.target.value.split('\n').filter((line) => line.trim() !== '');
              change({ ...field, choices }, 'choices');
            }}
          />
        </label>
      )}
      {field.type === 'String' && (
        <TextInput
          label={texts.pattern}
          text={field.pattern ?? ''}
          isReadOnly={isReadOnly}
          onChange={(pattern) => {
            const { pattern: _, ...rest } = field;
            change(pattern === '' ? rest : { ...rest, pattern }, 'pattern');
          }}
        />
      )}
      {bounds.map((bound) => (
        <TextInput
          key={bound}
          label={texts.bounds[bound]}
          text={String(field.bounds[bound] ?? '')}
          inputMode="decimal"
          isReadOnly={isReadOnly}
          onChange={(text) => {
            const { [bound]: _, ...others } = field.bounds;
            const number = Number(text);
            if (text !== '' && !Number.isFinite(number)) return;
            change({ ...field, bounds: text === '' ? others : { ...others, [bound]: number } }, bound);
          }}
        />
      ))}
      <ValueInput
        label={texts.example}
        value={field.examples?.[0]}
        field={field}
        isReadOnly={isReadOnly}
        onChange={(value) => {
          const { examples: _, ...rest } = field;
          change(value === undefined ? rest : { ...rest, examples: [value] }, 'example');
        }}
      />
      <ValueInput
        label={texts.default}
        value={field.default}
        field={field}
        isReadOnly={isReadOnly}
        onChange={(value) => {
          const { default: _, ...rest } = field;
          change(value === undefined ? rest : { ...rest, default: value }, 'default');
        }}
      />
      {(['isHidden', 'isCalculated', 'isPrivate', 'isUpdatable'] as const).map((flag) => (
        <label key={flag} className="check">
          <input
            type="checkbox"
            checked={field[flag]}
            disabled={isReadOnly}
            onChange={(event) => {
              change({ ...field, [flag]: event.target.checked }, flag);
            }}
          />{' '}
          {texts[flagTexts[flag]]}
        </label>
      ))}
      {field.isCalculated && (
        <TextInput
          label={texts.expression}
          text={field.expression ?? ''}
          isReadOnly={isReadOnly}
          onChange={(expression) => {
            change({ ...field, expression }, 'expression');
          }}
        />
      )}
    </div>
  );
}

const flagTexts = {
  isHidden: 'hidden',
  isCalculated: 'calculated',
  isPrivate: 'isPrivate',
  isUpdatable: 'isUpdatable',
} as const;

interface TextInputProps {
  readonly label: string;
  readonly text: string;
  readonly isReadOnly: boolean;
  readonly inputMode?: 'decimal';
  readonly onChange: (text: string) => void;
}

/** Keeps what is typed also while it is not taken, such as the beginning of a number. */
function TextInput({ label, text, isReadOnly, inputMode, onChange }: TextInputProps): ReactNode {
  const [typed, setTyped] = useState(text);
  return (
    <label>
      {label}
      <input
        value={typed}
        readOnly={isReadOnly}
        inputMode={inputMode}
        onChange={(event) => {
          setTyped(event.target.value);
          onChange(event.target.value);
        }}
      />
    </label>
  );
}

interface KeyInputProps {
  readonly field: SchemaField;
  readonly takenKeys: readonly string[];
  readonly isReadOnly: boolean;
  readonly onChange: (key: string) => void;
}

/** The key changes when the input is left: each key on the way to it would be that of another field. */
function KeyInput({ field, takenKeys, isReadOnly, onChange }: KeyInputProps): ReactNode {
  const [key, setKey] = useState(field.key);
  const isFree =
    key === field.key || (/^[^\s.:]+$/.test(key) && !takenKeys.includes(key) && !refusedKeys.includes(key));
  return (
    <label>
      {texts.key}
      <input
        value={key}
        readOnly={isReadOnly}
        aria-invalid={!isFree}
        onChange={(event) => {
          setKey(event.target.value);
        }}
        onBlur={() => {
          if (isFree && key !== field.key) onChange(key);
        }}
      />
      {!isFree && <span className="problem">{texts.keyTaken}</span>}
    </label>
  );
}

interface ValueInputProps {
  readonly label: string;
  readonly value: unknown;
  readonly field: SchemaField;
  readonly isReadOnly: boolean;
  readonly onChange: (value: unknown) => void;
}

function ValueInput({ label, value, field, isReadOnly, onChange }: ValueInputProps): ReactNode {
  const [typed, setTyped] = useState(() => shown(value));
  const read = valueOf(typed, field);
  return (
    <label>
      {label}
      <input
        value={typed}
        readOnly={isReadOnly}
        aria-invalid={read === null}
        onChange={(event) => {
          setTyped(event.target.value);
          const next = valueOf(event.target.value, field);
          if (next !== null) onChange(next);
        }}
      />
      {read === null && <span className="problem">{texts.notJson}</span>}
    </label>
  );
}

const shown = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);

/** `undefined` for none, `null` for what is no value of the field. Lists and nested objects are JSON. */
function valueOf(text: string, { type, isList }: SchemaField): unknown {
  if (text === '') return undefined;
  const isText =
    !isList && !['Number', 'Integer', 'Boolean', 'Reference', 'GeoJSON', 'SentinelHUB', 'Other'].includes(type);
  if (isText) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
