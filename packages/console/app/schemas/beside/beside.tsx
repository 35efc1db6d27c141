/** Beside the fields of a schema: its form, one field in detail, an example document, and what changes. */
import { changeField, type SchemaModel } from '@blockwork/contract/schema-model';
import { useEffect, useState, type ReactNode } from 'react';
import type { Entry } from '../draft/entries.js';
import { withModel, type ChangeEntry } from '../schema-editor.js';
import { schemaTexts } from '../schema-texts.js';
import { JsonView } from '../../ui/json-view.js';
import { exampleOf } from './example.js';
import { FieldDetails } from './field-details.js';
import { LiveForm } from './live-form.js';
import { WhatChanges } from './what-changes.js';

const texts = schemaTexts.beside;

interface BesideProps {
  readonly policyId: string;
  readonly entry: Entry;
  readonly model: SchemaModel;
  /** The key of a field. */
  readonly selected: string | null;
  readonly onSelect: (key: string) => void;
  /** `null` where nothing can be changed. */
  readonly onChange: ChangeEntry | null;
}

const tabs = ['form', 'field', 'example', 'changes'] as const;

export function Beside({ policyId, entry, model, selected, onSelect, onChange }: BesideProps): ReactNode {
  const [tab, setTab] = useState<(typeof tabs)[number]>('form');
  useEffect(() => {
    if (selected !== null) setTab('field');
  }, [selected]);
  const field = model.fields.find(({ key }) => key === selected);
  return (
    <section className="schema-beside" aria-label={texts.label}>
      <div className="tabs">
        {tabs.map((each) => (
          <button
            key={each}
            type="button"
            className={each === tab ? 'active' : ''}
            aria-pressed={each === tab}
            onClick={() => {
              setTab(each);
            }}
          >
            {texts.tabs[each]}
          </button>
        ))}
      </div>
      {tab === 'form' && <LiveForm document={entry.document} isEmpty={model.fields.length === 0} />}
      {tab === 'field' &&
        (field === undefined ? (
          <p className="quiet">{schemaTexts.details.select}</p>
        ) : (
          <FieldDetails
            key={field.key}
            field={field}
            takenKeys={model.fields.map(({ key }) => key)}
            onChange={
              onChange === null
                ? null
                : (changed, place) => {
                    onChange(withModel(entry, changeField(model, field.key, changed)), place);
                    if (changed.key !== field.key) onSelect(changed.key);
                  }
            }
          />
        ))}
      {tab === 'example' && <JsonView value={exampleOf(entry.document)} />}
      {tab === 'changes' && <WhatChanges policyId={policyId} entry={entry} model={model} />}
    </section>
  );
}
