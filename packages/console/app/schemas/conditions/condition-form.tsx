/** A condition while it is written: nested groups of tests, and the fields that it asks for. */
import type { Asked, ConditionRule, SchemaField } from '@blockwork/contract/schema-model';
import { useState, type ReactNode } from 'react';
import { schemaTexts } from '../schema-texts.js';
import { GroupInputs } from './group-inputs.js';
import { conditionOf, writtenGroup } from './written-test.js';

const texts = schemaTexts.conditions;

interface FormProps {
  readonly fields: readonly SchemaField[];
  /** `null` for a new one. */
  readonly rule: ConditionRule | null;
  readonly onApply: (rule: ConditionRule) => void;
  readonly onCancel: () => void;
}

export function ConditionForm({ fields, rule, onApply, onCancel }: FormProps): ReactNode {
  const [group, setGroup] = useState(() => writtenGroup(rule?.if ?? null));
  const [then, setThen] = useState(() => (rule?.then ?? []).map(({ key }) => key));
  const [otherwise, setOtherwise] = useState(() => (rule?.otherwise ?? []).map(({ key }) => key));
  const [isIncomplete, setIsIncomplete] = useState(false);
  const askedFields = (keys: readonly string[]): Asked[] =>
    fields.filter(({ key }) => keys.includes(key)).map(({ key, isRequired }) => ({ key, isRequired }));
  return (
    <form
      className="condition"
      onSubmit={(event) => {
        event.preventDefault();
        const test = conditionOf(group, fields);
        if (test === undefined || then.length + otherwise.length === 0) {
          setIsIncomplete(true);
          return;
        }
        const source = rule?.source === undefined ? {} : { source: rule.source };
        onApply({ kind: 'condition', if: test, then: askedFields(then), otherwise: askedFields(otherwise), ...source });
      }}
    >
      <GroupInputs label={texts.when} group={group} fields={fields} onChange={setGroup} onRemove={null} />
      <Choice label={texts.ask} fields={fields} chosen={then} onChange={setThen} />
      <Choice label={texts.otherwise} fields={fields} chosen={otherwise} onChange={setOtherwise} />
      {isIncomplete && (
        <p className="problem" role="alert">
          {texts.incomplete}
        </p>
      )}
      <div className="inline">
        <button type="submit" className="primary">
          {texts.apply}
        </button>
        <button type="button" onClick={onCancel}>
          {texts.cancel}
        </button>
      </div>
    </form>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly fields: readonly SchemaField[];
  readonly chosen: readonly string[];
  readonly onChange: (keys: string[]) => void;
}

const Choice = ({ label, fields, chosen, onChange }: ChoiceProps): ReactNode => (
  <fieldset>
    <legend>{label}</legend>
    <div className="inline">
      {fields.map(({ key, question }) => (
        <label key={key} className="check">
          <input
            type="checkbox"
            checked={chosen.includes(key)}
            onChange={(event) => {
              onChange(event.target.checked ? [...chosen, key] : chosen.filter((each) => each !== key));
            }}
          />{' '}
          {question}
        </label>
      ))}
    </div>
  </fieldset>
);
