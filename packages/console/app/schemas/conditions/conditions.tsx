/** The conditions of a schema, as sentences. */
import { sentenceOf, type ConditionRule, type SchemaModel } from '@blockwork/contract/schema-model';
import { useState, type ReactNode } from 'react';
import { schemaTexts } from '../schema-texts.js';
import { ConditionForm } from './condition-form.js';

const texts = schemaTexts.conditions;

interface ConditionsProps {
  readonly model: SchemaModel;
  /** `null` where nothing can be changed. */
  readonly onChange: ((model: SchemaModel) => void) | null;
}

export function Conditions({ model, onChange }: ConditionsProps): ReactNode {
  /** The number of the condition that is edited; that after the last one is new. */
  const [edited, edit] = useState<number | null>(null);
  const { rules, fields } = model;
  const name = ([key = '', ...below]: readonly string[]): string => {
    const question = fields.find((field) => field.key === key)?.question ?? key;
    return [question, ...below].join(' · ');
  };
  const apply = (at: number, rule: ConditionRule): void => {
    onChange?.({ ...model, rules: at < rules.length ? rules.with(at, rule) : [...rules, rule] });
    edit(null);
  };
  const form = (at: number, rule: ConditionRule | null): ReactNode => (
    <ConditionForm
      fields={fields}
      rule={rule}
      onApply={(changed) => {
        apply(at, changed);
      }}
      onCancel={() => {
        edit(null);
      }}
    />
  );
  return (
    <section aria-label={texts.title}>
      <h2>{texts.title}</h2>
      {rules.length === 0 && <p className="quiet">{texts.none}</p>}
      <ul className="plain conditions">
        {rules.map((rule, at) => {
          if (rule.kind === 'kept')
            return (
              <li key={at} className="quiet">
                {texts.kept}
              </li>
            );
          const sentence = sentenceOf(rule, name);
          return (
            <li key={at}>
              <div className="spread">
                <span className="sentence">{sentence}</span>
                {onChange !== null && (
                  <span className="inline">
                    <button
                      type="button"
                      aria-label={texts.editOf(sentence)}
                      onClick={() => {
                        edit(at);
                      }}
                    >
                      {texts.edit}
                    </button>
                    <button
                      type="button"
                      aria-label={texts.removeOf(sentence)}
                      onClick={() => {
                        onChange({ ...model, rules: rules.toSpliced(at, 1) });
                      }}
                    >
                      {texts.remove}
                    </button>
                  </span>
                )}
              </div>
              {edited === at && form(at, rule)}
            </li>
          );
        })}
      </ul>
      {onChange !== null && edited === rules.length && form(rules.length, null)}
      {onChange !== null && edited === null && (
        <button
          type="button"
          disabled={fields.length < 2}
          onClick={() => {
            edit(rules.length);
          }}
        >
          {texts.add}
        </button>
      )}
    </section>
  );
}
