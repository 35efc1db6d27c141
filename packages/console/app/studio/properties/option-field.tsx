/** One option of a block, edited as its JSON Schema says; objects and lists hold further ones. */
import type { ReactNode } from 'react';
import { appending, type Edits, removing, setting, valueIn, type Source, type Steps } from '../draft/operations.js';
import { useStudio } from '../studio-context.js';
import { studioTexts } from '../texts.js';
import { ChoiceField, FlagField, Hint, JsonField, TextField } from './fields.js';
import { kindOf, labelOf, type Member, type OptionKind } from './option-kind.js';
import { choicesFor, type Choice } from './references.js';

const texts = studioTexts.properties;

interface OptionProps {
  readonly schema: Source;
  /** The schema that references are resolved in. */
  readonly root: Source;
  readonly steps: Steps;
  readonly label: string;
}

export function OptionField(props: OptionProps): ReactNode {
  const { schema, root, steps } = props;
  const kind = kindOf(schema, root, steps.length - 1);
  if (kind.kind === 'object') return <ObjectField {...props} members={kind.members} />;
  if (kind.kind === 'list') return <ListField {...props} items={kind.items} />;
  return <PlainField {...props} kind={kind} />;
}

interface PlaceOfOption {
  readonly value: unknown;
  /** The edits that write another value. */
  readonly write: (value: unknown) => Edits;
  readonly save: (value: unknown) => Promise<boolean>;
}

function usePlace(steps: Steps): PlaceOfOption {
  const { selected, edit } = useStudio();
  const write = (value: unknown): Edits => setting(selected.id, steps, value);
  return { value: valueIn(selected.source, steps), write, save: async (value) => edit(write(value)) };
}

const hintOf = ({ description }: Source): string | undefined =>
  typeof description === 'string' && description !== '' ? description : undefined;

function PlainField({ schema, steps, label, kind }: OptionProps & { readonly kind: OptionKind }): ReactNode {
  const { definition, blocks } = useStudio();
  const { value, write, save } = usePlace(steps);
  const hint = hintOf(schema);
  const usual = schema['default'];
  const name = String(steps.at(-1) ?? '');
  if (kind.kind === 'flag') {
    const isOn = value === undefined || value === null || value === '' ? usual === true : isTrue(value);
    return <FlagField {...{ label, hint }} value={isOn} onSave={save} />;
  }
  if (kind.kind === 'choice' || (kind.kind === 'text' && choicesFor(name, definition, blocks)?.isClosed === true)) {
    const choices: readonly Choice[] =
      kind.kind === 'choice'
        ? kind.values.map((each) => ({ value: each, label: each }))
        : (choicesFor(name, definition, blocks)?.choices ?? []);
    const unset = typeof usual === 'string' ? texts.usually(usual) : texts.unset;
    return (
      <ChoiceField
        {...{ label, hint, choices, unset }}
        value={written(value)}
        onSave={async (chosen) => save(chosen === '' ? undefined : chosen)}
      />
    );
  }
  if (kind.kind === 'json' || (typeof value === 'object' && value !== null))
    return <JsonField {...{ label, hint, value }} edits={write} />;
  return (
    <TextField
      {...{ label, hint }}
      placeholder={typeof usual === 'string' || typeof usual === 'number' ? texts.usually(String(usual)) : undefined}
      value={written(value)}
      {...(choicesFor(name, definition, blocks) && { choices: choicesFor(name, definition, blocks)?.choices ?? [] })}
      edits={(text) => write(text === '' ? undefined : readAs(kind, text))}
    />
  );
}

const isTrue = (value: unknown): boolean => value === true || String(value).toLowerCase() === 'true';

const written = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

const readAs = ({ kind }: OptionKind, text: string): unknown =>
  kind === 'number' && text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;

function ObjectField({
  root,
  steps,
  label,
  schema,
  members,
}: OptionProps & { readonly members: readonly Member[] }): ReactNode {
  return (
    <fieldset className="property">
      <legend>{label}</legend>
      {hintOf(schema) !== undefined && (
        <p className="hint">
          <Hint text={hintOf(schema) ?? ''} />
        </p>
      )}
      {members.map(({ name, schema: member }) => (
        <OptionField key={name} root={root} schema={member} steps={[...steps, name]} label={labelOf(name)} />
      ))}
    </fieldset>
  );
}

function ListField({ root, steps, label, schema, items }: OptionProps & { readonly items: Source }): ReactNode {
  const { selected, edit, isReadOnly } = useStudio();
  const { value, write } = usePlace(steps);
  if (value !== undefined && value !== null && !Array.isArray(value))
    return <JsonField {...{ label, value }} hint={hintOf(schema)} edits={write} />;
  const entries: readonly unknown[] = value ?? [];
  const kind = kindOf(items, root, steps.length);
  return (
    <fieldset className="property of-list">
      <legend>{label}</legend>
      {hintOf(schema) !== undefined && (
        <p className="hint">
          <Hint text={hintOf(schema) ?? ''} />
        </p>
      )}
      {entries.map((entry, at) => (
        <div key={at} className="item">
          <OptionField root={root} schema={items} steps={[...steps, at]} label={texts.item(at + 1)} />
          {!isReadOnly && (
            <button
              type="button"
              className="quiet-button"
              aria-label={texts.removeItem(label, at + 1)}
              title={texts.removeItem(label, at + 1)}
              onClick={() => void edit(removing(selected.id, steps, entry))}
            >
              ×
            </button>
          )}
        </div>
      ))}
      {!isReadOnly && (
        <button
          type="button"
          aria-label={texts.addTo(label)}
          onClick={() => void edit(appending(selected.id, steps, emptyOf(kind)))}
        >
          {texts.add}
        </button>
      )}
    </fieldset>
  );
}

function emptyOf({ kind }: OptionKind): unknown {
  if (kind === 'object' || kind === 'json') return {};
  if (kind === 'list') return [];
  if (kind === 'number') return 0;
  return kind === 'flag' ? false : '';
}
