/** The fields of a schema as a table that one types into. */
import {
  changeField,
  newField,
  removeField,
  type SchemaField,
  type SchemaModel,
} from '@blockwork/contract/schema-model';
import { useRef, type ClipboardEvent, type ReactNode } from 'react';
import { keyFor, type Entry } from '../draft/entries.js';
import { schemaTexts } from '../schema-texts.js';
import { FieldRow } from './field-row.js';
import { pastedFields } from './pasted-fields.js';

const texts = schemaTexts.fields;

export interface TableProps {
  readonly model: SchemaModel;
  /** Schemas that a field may nest. */
  readonly references: readonly Entry[];
  readonly selected: string | null;
  readonly onSelect: (key: string) => void;
  /** `null` where nothing can be changed. */
  readonly onChange: ((model: SchemaModel, place?: string) => void) | null;
}

export function FieldsTable({ model, references, selected, onSelect, onChange }: TableProps): ReactNode {
  const { fields } = model;
  const body = useRef<HTMLTableSectionElement>(null);
  const added = useRef<HTMLInputElement>(null);
  const isReadOnly = onChange === null;
  const conditional = new Set(
    model.rules.flatMap((rule) =>
      rule.kind === 'kept' ? [] : [...rule.then, ...rule.otherwise].map(({ key }) => key),
    ),
  );
  const move = (from: number, to: number): void => {
    const field = fields[from];
    if (field === undefined || to < 0 || to >= fields.length || from === to) return;
    onChange?.({ ...model, fields: fields.toSpliced(from, 1).toSpliced(to, 0, field) });
  };
  const add = (text: string): void => {
    const takenKeys = new Set(fields.map(({ key }) => key));
    const pasted = pastedFields(text).map((line): SchemaField => {
      const key = keyFor(line.question, takenKeys);
      takenKeys.add(key);
      const { question, type, unit, isRequired } = line;
      return {
        ...newField(key, question, type),
        isRequired,
        ...(unit !== undefined && { unit, unitSystem: 'postfix' }),
      };
    });
    if (pasted.length > 0) onChange?.({ ...model, fields: [...fields, ...pasted] });
  };
  const focusQuestion = (at: number): void => {
    const inputs = body.current?.querySelectorAll<HTMLInputElement>('input.question');
    (inputs?.[at] ?? added.current)?.focus();
  };
  return (
    <>
      <h2>{texts.title}</h2>
      <div className="scroll" role="region" aria-label={texts.title} tabIndex={0}>
        <table className="fields">
          <thead>
            <tr>
              {texts.columns.map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody ref={body}>
            {fields.map((field, at) => (
              <FieldRow
                key={field.key}
                field={field}
                number={at + 1}
                references={references}
                isConditional={conditional.has(field.key)}
                isSelected={field.key === selected}
                isReadOnly={isReadOnly}
                onSelect={() => {
                  onSelect(field.key);
                }}
                onChange={(changed, place) => onChange?.(changeField(model, field.key, changed), place)}
                onMove={(by) => {
                  move(at, at + by);
                }}
                onRemove={() => onChange?.(removeField(model, field.key))}
                onEnter={() => {
                  focusQuestion(at + 1);
                }}
                onDrop={(dropped) => {
                  move(
                    fields.findIndex(({ key }) => key === dropped),
                    at,
                  );
                }}
              />
            ))}
            {fields.length === 0 && (
              <tr>
                <td colSpan={texts.columns.length} className="quiet">
                  {texts.none}
                </td>
              </tr>
            )}
          </tbody>
        </table>
      </div>
      {!isReadOnly && (
        <form
          className="add-field"
          onSubmit={(event) => {
            event.preventDefault();
            const input = added.current;
            if (input === null) return;
            add(input.value);
            input.value = '';
          }}
        >
          <label>
            {texts.addLabel}
            <input
              ref={added}
              onPaste={(event: ClipboardEvent<HTMLInputElement>) => {
                const text = event.clipboardData.getData('text/plain');
                if (!/[\n\t]/.test(text.trim())) return;
                event.preventDefault();
                add(text);
              }}
            />
          </label>
          <span className="quiet">{texts.addHint}</span>
        </form>
      )}
    </>
  );
}
