/** The properties of the selected block: what every block has, its options as the catalogue describes them, and its events. */
import type { ReactNode } from 'react';
import { appending, type Edits, isRecord, removing, setting } from '../draft/operations.js';
import { permissionsOf } from '../draft/blocks.js';
import { fixesOf } from '../findings/fixes.js';
import { FindingLine } from '../findings/finding-line.js';
import { titleOf, useStudio } from '../studio-context.js';
import { studioTexts } from '../texts.js';
import { AddLine, FlagField, JsonField, TextField, Tick } from './fields.js';
import { LinksSection } from './links-section.js';
import { labelOf, membersOf } from './option-kind.js';
import { OptionField } from './option-field.js';
import { PolicySection } from './policy-section.js';
import { TAG_LIST } from './tag-list.js';

const texts = studioTexts.properties;

/** Members with fields of their own, or none. */
const common: ReadonlySet<string> = new Set([
  ...['id', 'blockType', 'tag', 'permissions', 'defaultActive', 'children', 'events', 'innerEvents'],
  ...['dependencies', 'uiMetaData'],
]);

export function Properties(): ReactNode {
  const studio = useStudio();
  const { selected, chosen, types, definition, blocks, findings, edit } = studio;
  const { source } = selected;
  const type = types.get(selected.type);
  const own = findings.filter(({ block }) => block === selected.id);
  return (
    <section className="properties" aria-label={texts.title} tabIndex={0}>
      <header>
        <h2>
          <span className={`tone-dot kind-${type?.kind ?? 'unknown'}`} aria-hidden="true" />{' '}
          {selected.tag === '' ? studioTexts.untagged : selected.tag}
        </h2>
        <p className="quiet">
          <strong>{titleOf(types, selected.type)}</strong> {type?.description}
        </p>
      </header>
      {chosen.size > 1 && <p className="hint">{texts.several(chosen.size, selected.tag || studioTexts.untagged)}</p>}
      {own.map((finding, at) => (
        <FindingLine key={at} finding={finding} fixes={fixesOf(finding, definition, blocks, types)} />
      ))}
      {/* Fields keep what is typed into them: those of another block are others. */}
      <div key={selected.id} className="stack">
        <TextField
          label={texts.tag}
          value={selected.tag}
          problem={(tag) => (tag !== selected.tag && blocks.tags.has(tag) ? texts.tagTaken : undefined)}
          edits={(tag) => [{ op: 'renameTag', block: selected.id, tag }]}
        />
        <Permissions />
        {(type?.kind === 'interface' || type?.kind === 'container') && (
          <FlagField
            label={texts.defaultActive}
            value={source['defaultActive'] === true}
            onSave={async (on) => edit(setting(selected.id, ['defaultActive'], on))}
          />
        )}
        <Options />
        <LinksSection />
        <Dependencies />
        <Appearance />
        {selected.parent === null && <PolicySection />}
        <details>
          <summary>{texts.json}</summary>
          <pre className="json" tabIndex={0}>
            {JSON.stringify(source, null, 2)}
          </pre>
        </details>
      </div>
    </section>
  );
}

function Permissions(): ReactNode {
  const { selected, definition, edit } = useStudio();
  const permissions = permissionsOf(selected.source);
  const roles = [...new Set([...Object.keys(texts.everybody), ...definition.policyRoles, ...permissions])];
  const toggle = async (role: string, isOn: boolean): Promise<boolean> =>
    edit((isOn ? appending : removing)(selected.id, ['permissions'], role));
  return (
    <fieldset className="property permissions">
      <legend>{texts.permissions}</legend>
      {roles.map((role) => (
        <Tick
          key={role}
          label={texts.everybody[role] ?? role}
          value={permissions.includes(role)}
          onSave={async (isOn) => toggle(role, isOn)}
        >
          {texts.everybody[role] === undefined && !definition.policyRoles.includes(role) && (
            <span className="problem"> {texts.unknownRole}</span>
          )}
        </Tick>
      ))}
    </fieldset>
  );
}

function Options(): ReactNode {
  const { selected, types } = useStudio();
  const { source } = selected;
  const schema = types.get(selected.type)?.options ?? {};
  const members = membersOf(schema).filter(({ name }) => !common.has(name));
  const shown = members.filter(({ name, schema: { deprecated } }) => deprecated !== true || source[name] !== undefined);
  const names = new Set(members.map(({ name }) => name));
  const others = Object.keys(source).filter((name) => !names.has(name) && !common.has(name));
  return (
    <details open>
      <summary>{texts.options}</summary>
      {shown.length + others.length === 0 && <p className="quiet">{texts.noOptions}</p>}
      {shown.map(({ name, schema: option }) => (
        <OptionField key={name} root={schema} schema={option} steps={[name]} label={labelOf(name)} />
      ))}
      {others.map((name) => (
        <JsonField
          key={name}
          label={labelOf(name)}
          value={source[name]}
          edits={(value) => setting(selected.id, [name], value)}
        />
      ))}
    </details>
  );
}

function Dependencies(): ReactNode {
  const { selected, blocks, edit, isReadOnly } = useStudio();
  const { source } = selected;
  const named = Array.isArray(source['dependencies']) ? source['dependencies'].map(String) : [];
  return (
    <details open={named.length > 0}>
      <summary>{texts.dependencies}</summary>
      <ul className="plain link-chips">
        {named.map((tag, at) => (
          <li key={`${tag} ${String(at)}`}>
            <span className={blocks.tags.has(tag) ? '' : 'problem'}>{tag}</span>
            {!isReadOnly && (
              <button
                type="button"
                className="quiet-button"
                aria-label={texts.removeItem(texts.dependencies, at + 1)}
                title={texts.removeItem(texts.dependencies, at + 1)}
                onClick={() => void edit(removing(selected.id, ['dependencies'], tag))}
              >
                ×
              </button>
            )}
          </li>
        ))}
      </ul>
      {!isReadOnly && (
        <AddLine
          label={texts.addTo(texts.dependencies)}
          listId={TAG_LIST}
          onAdd={(tag) => void edit(appending(selected.id, ['dependencies'], tag))}
        />
      )}
    </details>
  );
}

function Appearance(): ReactNode {
  const { selected } = useStudio();
  const { source } = selected;
  const shown = isRecord(source['uiMetaData']) ? source['uiMetaData'] : {};
  const text = (name: string): string => (typeof shown[name] === 'string' ? shown[name] : '');
  const write =
    (name: string) =>
    (value: string): Edits =>
      setting(selected.id, ['uiMetaData', name], value === '' ? undefined : value);
  return (
    <details open={Object.keys(shown).length > 0}>
      <summary>{texts.appearance}</summary>
      <TextField label={texts.appearanceTitle} value={text('title')} edits={write('title')} />
      <TextField label={texts.appearanceText} value={text('description')} edits={write('description')} />
      <JsonField
        label={texts.more}
        value={shown}
        edits={(value) => setting(selected.id, ['uiMetaData'], value ?? {})}
      />
    </details>
  );
}
