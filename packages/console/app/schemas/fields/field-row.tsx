/** A field as a row of the table. */
import { fieldTypeNames, withType, type FieldType, type SchemaField } from '@blockwork/contract/schema-model';
import type { ReactNode } from 'react';
import { nameOf, type Entry } from '../draft/entries.js';
import { schemaTexts } from '../schema-texts.js';

const texts = schemaTexts.fields;

interface RowProps {
  readonly field: SchemaField;
  readonly number: number;
  readonly references: readonly Entry[];
  readonly isConditional: boolean;
  readonly isSelected: boolean;
  readonly isReadOnly: boolean;
  readonly onSelect: () => void;
  readonly onChange: (field: SchemaField, place?: string) => void;
  readonly onMove: (by: 1 | -1) => void;
  readonly onRemove: () => void;
  /** Enter in the question. */
  readonly onEnter: () => void;
  /** Another field, by its key, is dropped here. */
  readonly onDrop: (key: string) => void;
}

/** In the list of types, a schema is named by its IRI. */
const isReference = (type: string): boolean => type.startsWith('#');

const typesOffered: readonly FieldType[] = fieldTypeNames.filter((type) => type !== 'Reference' && type !== 'Other');

export function FieldRow(props: RowProps): ReactNode {
  const { field, number, references, isConditional, isSelected, isReadOnly } = props;
  const { onSelect, onChange, onMove, onRemove, onEnter, onDrop } = props;
  const named = field.question === '' ? texts.question(number) : field.question;
  const typed = field.type === 'Reference' ? (field.reference ?? '') : field.type;
  const isOffered = typesOffered.includes(field.type) || references.some(({ iri }) => iri === typed);
  return (
    <tr
      className={isSelected ? 'selected' : ''}
      onDragOver={(event) => {
        event.preventDefault();
      }}
      onDrop={(event) => {
        event.preventDefault();
        onDrop(event.dataTransfer.getData('text/plain'));
      }}
    >
      <td>
        {/* Browsers start no drag from a button. */}
        <span
          role="button"
          tabIndex={isReadOnly ? -1 : 0}
          className="handle"
          draggable={!isReadOnly}
          aria-disabled={isReadOnly}
          aria-label={texts.move(named)}
          title={texts.move(named)}
          onDragStart={(event) => {
            event.dataTransfer.setData('text/plain', field.key);
            event.dataTransfer.effectAllowed = 'move';
          }}
          onKeyDown={(event) => {
            const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : undefined;
            if (isReadOnly || !event.altKey || by === undefined) return;
            event.preventDefault();
            onMove(by);
          }}
        >
          ⠿
        </span>
      </td>
      <td>
        <input
          className="question"
          aria-label={texts.question(number)}
          value={field.question}
          readOnly={isReadOnly}
          onChange={(event) => {
            onChange({ ...field, question: event.target.value }, `question ${field.key}`);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') onEnter();
            if (event.altKey && event.key === 'ArrowUp') onMove(-1);
            if (event.altKey && event.key === 'ArrowDown') onMove(1);
          }}
        />
      </td>
      <td>
        <select
          aria-label={texts.of(texts.type, named)}
          value={typed}
          disabled={isReadOnly}
          onChange={(event) => {
            onChange(ofType(field, event.target.value));
          }}
        >
          {!isOffered && <option value={typed}>{typed}</option>}
          {typesOffered.map((type) => (
            <option key={type} value={type}>
              {texts.types[type] ?? type}
            </option>
          ))}
          {references.map((entry) => (
            <option key={entry.iri} value={entry.iri}>
              {nameOf(entry)}
            </option>
          ))}
        </select>
      </td>
      <td>
        <input
          className="unit"
          aria-label={texts.of(texts.unit, named)}
          value={field.unit ?? ''}
          readOnly={isReadOnly}
          onChange={(event) => {
            onChange(withUnit(field, event.target.value), `unit ${field.key}`);
          }}
        />
      </td>
      {(['isRequired', 'isList'] as const).map((flag) => (
        <td key={flag}>
          <input
            type="checkbox"
            aria-label={texts.of(flag === 'isRequired' ? texts.required : texts.list, named)}
            checked={field[flag]}
            disabled={isReadOnly}
            onChange={(event) => {
              onChange({ ...field, [flag]: event.target.checked });
            }}
          />
        </td>
      ))}
      <td className="quiet">{rulesOf(field, isConditional).join(' · ')}</td>
      <td>
        <div className="inline">
          <button type="button" aria-label={texts.details(named)} aria-pressed={isSelected} onClick={onSelect}>
            …
          </button>
          {!isReadOnly && (
            <button type="button" aria-label={texts.remove(named)} onClick={onRemove}>
              ×
            </button>
          )}
        </div>
      </td>
    </tr>
  );
}

function ofType(field: SchemaField, type: string): SchemaField {
  if (!isReference(type)) return withType(field, type as FieldType);
  return { ...withType(field, 'Reference'), reference: type };
}

function withUnit(field: SchemaField, unit: string): SchemaField {
  const { unit: _, unitSystem = 'postfix', ...rest } = field;
  return unit === '' ? rest : { ...rest, unit, unitSystem };
}

function rulesOf(
  { choices, pattern, bounds, isHidden, isCalculated, expression }: SchemaField,
  isConditional: boolean,
): string[] {
  const { rules } = texts;
  return [
    ...(isConditional ? [rules.conditional] : []),
    ...(isCalculated ? [rules.calculated(expression ?? '')] : isHidden ? [rules.hidden] : []),
    ...(choices === undefined || choices.length === 0 ? [] : [choices.map(String).join(', ')]),
    ...(bounds.minimum === undefined ? [] : [rules.atLeast(bounds.minimum)]),
    ...(bounds.maximum === undefined ? [] : [rules.atMost(bounds.maximum)]),
    ...(pattern === undefined ? [] : [rules.pattern(pattern)]),
  ];
}
