/** A group of tests, each of which may be a group again. */
import { wordsOf, type SchemaField } from '@blockwork/contract/schema-model';
import type { ReactNode } from 'react';
import { schemaTexts } from '../schema-texts.js';
import { emptyTest, type WrittenGroup, type WrittenPart, type WrittenTest } from './written-test.js';

const texts = schemaTexts.conditions;

interface GroupProps {
  readonly label: string;
  readonly group: WrittenGroup;
  readonly fields: readonly SchemaField[];
  readonly onChange: (group: WrittenGroup) => void;
  /** `null` for the outermost one. */
  readonly onRemove: (() => void) | null;
}

export function GroupInputs({ label, group, fields, onChange, onRemove }: GroupProps): ReactNode {
  const { parts } = group;
  const replace = (at: number, part: WrittenPart): void => {
    onChange({ ...group, parts: parts.with(at, part) });
  };
  const remove = (at: number): void => {
    onChange({ ...group, parts: parts.toSpliced(at, 1) });
  };
  return (
    <fieldset className="group">
      <legend>{label}</legend>
      <div className="inline">
        <select
          aria-label={texts.join}
          value={group.of}
          onChange={(event) => {
            onChange({ ...group, of: event.target.value === 'any' ? 'any' : 'all' });
          }}
        >
          <option value="all">{texts.all}</option>
          <option value="any">{texts.any}</option>
        </select>
        <span>{texts.join}</span>
        {onRemove !== null && (
          <button type="button" onClick={onRemove}>
            {texts.removePart}
          </button>
        )}
      </div>
      {parts.map((part, at) => {
        const removeGroup = (): void => {
          remove(at);
        };
        if (part.kind === 'group')
          return (
            <GroupInputs
              key={at}
              label={group.of === 'all' ? 'and' : 'or'}
              group={part}
              fields={fields}
              onChange={(changed) => {
                replace(at, changed);
              }}
              onRemove={removeGroup}
            />
          );
        return (
          <div key={at} className="inline">
            {part.kind === 'kept' ? (
              <span>{wordsOf(part.condition, (path) => path.join('.'))}</span>
            ) : (
              <TestInputs
                test={part}
                fields={fields}
                onChange={(changed) => {
                  replace(at, changed);
                }}
              />
            )}
            {parts.length > 1 && (
              <button type="button" onClick={removeGroup}>
                {texts.removePart}
              </button>
            )}
          </div>
        );
      })}
      <div className="inline">
        <button
          type="button"
          onClick={() => {
            onChange({ ...group, parts: [...parts, emptyTest] });
          }}
        >
          {texts.addTest}
        </button>
        <button
          type="button"
          onClick={() => {
            const inner: WrittenGroup = { kind: 'group', of: group.of === 'all' ? 'any' : 'all', parts: [emptyTest] };
            onChange({ ...group, parts: [...parts, inner] });
          }}
        >
          {texts.addGroup}
        </button>
      </div>
    </fieldset>
  );
}

interface TestProps {
  readonly test: WrittenTest;
  readonly fields: readonly SchemaField[];
  readonly onChange: (test: WrittenTest) => void;
}

function TestInputs({ test, fields, onChange }: TestProps): ReactNode {
  const field = fields.find(({ key }) => key === test.key);
  const choices =
    field?.type === 'Boolean'
      ? [
          ['true', 'Yes'],
          ['false', 'No'],
        ]
      : field?.choices?.map((choice) => [String(choice), String(choice)]);
  const change = (value: string): void => {
    onChange({ ...test, value });
  };
  return (
    <>
      <select
        aria-label={texts.field}
        value={test.key}
        onChange={(event) => {
          onChange({ ...test, key: event.target.value, value: '' });
        }}
      >
        <option value="" />
        {fields.map(({ key, question }) => (
          <option key={key} value={key}>
            {question}
          </option>
        ))}
      </select>
      <select
        aria-label={texts.compare}
        value={test.isNot ? 'not' : 'is'}
        onChange={(event) => {
          onChange({ ...test, isNot: event.target.value === 'not' });
        }}
      >
        <option value="is">{texts.is}</option>
        <option value="not">{texts.isNot}</option>
      </select>
      {choices === undefined ? (
        <input
          aria-label={texts.value}
          value={test.value}
          onChange={(event) => {
            change(event.target.value);
          }}
        />
      ) : (
        <select
          aria-label={texts.value}
          value={test.value}
          onChange={(event) => {
            change(event.target.value);
          }}
        >
          <option value="" />
          {choices.map(([value = '', label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </>
  );
}
