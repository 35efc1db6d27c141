/** One schema: what it is called, where it is used, its fields and its conditions. */
import { writeSchema, type SchemaModel } from '@blockwork/contract/schema-model';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'wouter';
import { Conditions } from './conditions/conditions.js';
import { nameOf, type Entry, type UsingBlock } from './draft/entries.js';
import { FieldsTable } from './fields/fields-table.js';
import { schemaTexts as texts } from './schema-texts.js';

export type ChangeEntry = (entry: Entry, place?: string) => void;

export interface EditorProps {
  readonly policyId: string;
  readonly entry: Entry;
  readonly model: SchemaModel;
  readonly others: readonly Entry[];
  readonly blocks: readonly UsingBlock[];
  readonly nesting: readonly Entry[];
  readonly nests: readonly Entry[];
  /** The key of a field. */
  readonly selected: string | null;
  readonly onSelect: (key: string) => void;
  /** `null` where nothing can be changed. */
  readonly onChange: ChangeEntry | null;
  readonly onRemove: () => void;
}

/** The entry with the model as its document. */
export const withModel = (entry: Entry, model: SchemaModel): Entry => ({
  ...entry,
  name: model.name,
  description: model.description,
  document: writeSchema(model),
});

export function SchemaEditor(props: EditorProps): ReactNode {
  const { policyId, entry, model, others, blocks, nesting, nests, selected, onSelect, onChange, onRemove } = props;
  const change = (next: SchemaModel, place?: string): void => onChange?.(withModel(entry, next), place);
  const address = `/policies/${encodeURIComponent(policyId)}/live`;
  const isReadOnly = onChange === null;
  return (
    <section className="schema-editor" aria-label={nameOf(entry)}>
      <div className="schema-head">
        <label>
          {texts.name}
          <input
            className="schema-name"
            value={entry.name ?? model.name}
            readOnly={isReadOnly}
            onChange={(event) => {
              change({ ...model, name: event.target.value }, 'name');
            }}
          />
        </label>
        <label>
          {texts.description}
          <input
            value={entry.description ?? model.description}
            readOnly={isReadOnly}
            onChange={(event) => {
              change({ ...model, description: event.target.value }, 'description');
            }}
          />
        </label>
        <label>
          {texts.kind}
          <select
            value={entry.entity ?? 'NONE'}
            disabled={isReadOnly}
            onChange={(event) => {
              onChange?.({ ...entry, entity: event.target.value });
            }}
          >
            {Object.entries({
              ...texts.kinds,
              ...(isKnownKind(entry) ? {} : { [String(entry.entity)]: entry.entity }),
            }).map(([kind, label]) => (
              <option key={kind} value={kind}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </div>
      <p className="quiet">
        {texts.usedBy}{' '}
        {blocks.length + nesting.length === 0
          ? '–'
          : blocks.map(({ id, tag }) => (
              <Fragment key={id}>
                <Link href={`${address}/${id}`}>{tag}</Link>{' '}
              </Fragment>
            ))}
        {nesting.map(nameOf).join(', ')}
        {nests.length > 0 && ` · ${texts.nests} ${nests.map(nameOf).join(', ')}`}
      </p>
      <FieldsTable
        model={model}
        references={others.filter(({ iri }) => iri !== entry.iri)}
        selected={selected}
        onSelect={onSelect}
        onChange={isReadOnly ? null : change}
      />
      <Conditions model={model} onChange={isReadOnly ? null : change} />
      {!isReadOnly && (
        <p>
          <button type="button" className="danger" onClick={onRemove}>
            {texts.remove}
          </button>
        </p>
      )}
    </section>
  );
}

const isKnownKind = ({ entity }: Entry): boolean => entity === undefined || Object.hasOwn(texts.kinds, entity);
