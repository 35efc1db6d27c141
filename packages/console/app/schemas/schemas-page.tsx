/** The schemas of a policy: a list, the fields and conditions of one, and its form beside them. */
import { emptyDocument, readSchema } from '@blockwork/contract/schema-model';
import { canTransition } from '@blockwork/client';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useClient } from '../api/server.js';
import { usePeople } from '../session/people.js';
import { useAddressText } from '../shell/hash-location.js';
import { Failure } from '../ui/failure.js';
import { Loaded } from '../ui/loaded.js';
import { Beside } from './beside/beside.js';
import { blocksUsing, nameOf, nestedIn, schemasNesting, type Entry } from './draft/entries.js';
import { useSchemaDraft, type SchemaDraft } from './draft/use-schema-draft.js';
import { SchemaEditor } from './schema-editor.js';
import { SchemaList } from './schema-list.js';
import { schemaTexts as texts } from './schema-texts.js';
import { WorkbookBar } from './workbook-bar.js';
import './schemas.css';

export default function SchemasPage({ id }: { readonly id: string }): ReactNode {
  const client = useClient();
  const { active } = usePeople();
  const [attempt, setAttempt] = useState(0);
  const query = useQuery({
    queryKey: ['policy', id, active?.did],
    queryFn: async ({ signal }) => client.policy(id).get({ signal }),
  });
  return (
    <Loaded query={query}>
      {({ status }) => (
        <Draft
          key={`${id} ${String(attempt)}`}
          id={id}
          canEdit={canTransition('replace', status)}
          onReload={() => {
            setAttempt(attempt + 1);
          }}
        />
      )}
    </Loaded>
  );
}

interface DraftProps {
  readonly id: string;
  readonly canEdit: boolean;
  /** Forgets what could not be stored. */
  readonly onReload: () => void;
}

function Draft({ id, canEdit, onReload }: DraftProps): ReactNode {
  const draft = useSchemaDraft(id);
  const { query, state, error } = draft;
  return (
    <Loaded query={query}>
      {({ config }) => (
        <div className="schemas-page">
          {error !== null && <Failure error={error} onRetry={onReload} />}
          {state !== null && (
            <Schemas id={id} draft={draft} entries={state.entries} config={config} canEdit={canEdit} />
          )}
        </div>
      )}
    </Loaded>
  );
}

interface SchemasProps {
  readonly id: string;
  readonly draft: SchemaDraft;
  readonly entries: readonly Entry[];
  readonly config: unknown;
  readonly canEdit: boolean;
}

function Schemas({ id, draft, entries, config, canEdit }: SchemasProps): ReactNode {
  const [chosen, choose] = useAddressText('schema');
  const [selected, select] = useState<string | null>(null);
  const [message, say] = useState('');
  const entry = entries.find(({ iri }) => iri === chosen) ?? entries[0];
  const uses = entries.map((each) => ({
    entry: each,
    blocks: blocksUsing(config, each.iri),
    nesting: schemasNesting(entries, each.iri),
  }));
  const use = uses.find((each) => each.entry === entry);
  const add = (name: string): void => {
    const iri = `#${newUuid()}`;
    const document = emptyDocument(iri, name, '', 'VC');
    draft.change([...entries, { iri, name, description: '', entity: 'VC', status: 'DRAFT', document }]);
    choose(iri);
    say('');
  };
  const change = canEdit
    ? (changed: Entry, place?: string): void => {
        draft.change(
          entries.map((each) => (each === entry ? changed : each)),
          place,
        );
      }
    : null;
  const remove = (entry: Entry): void => {
    const places = [...(use?.blocks ?? []).map(({ tag }) => tag), ...(use?.nesting ?? []).map(nameOf)];
    if (places.length > 0) {
      say(texts.cannotRemove(nameOf(entry), places.join(', ')));
      return;
    }
    draft.change(entries.filter((each) => each !== entry));
    say(texts.removed(nameOf(entry)));
  };
  const model = entry === undefined ? undefined : readSchema(entry.document);
  return (
    <>
      <div className="spread schemas-bar">
        <div className="inline">
          {canEdit && (
            <>
              <button type="button" disabled={(draft.state?.past.length ?? 0) === 0} onClick={draft.undo}>
                {texts.undo}
              </button>
              <button type="button" disabled={(draft.state?.future.length ?? 0) === 0} onClick={draft.redo}>
                {texts.redo}
              </button>
              <span role="status" className="quiet">
                {draft.isSaved ? texts.saved : texts.saving}
              </span>
            </>
          )}
          {!canEdit && <span className="quiet">{texts.readOnly}</span>}
        </div>
        <WorkbookBar id={id} canEdit={canEdit} isSaved={draft.isSaved} />
      </div>
      <p role="status" className="schemas-said">
        {message}
      </p>
      <div className="schemas">
        <SchemaList uses={uses} chosen={entry?.iri} onChoose={choose} onAdd={canEdit ? add : null} />
        {entry === undefined || model === undefined ? (
          <p className="quiet empty">{texts.empty}</p>
        ) : (
          <>
            <SchemaEditor
              key={entry.iri}
              policyId={id}
              entry={entry}
              model={model}
              others={entries}
              blocks={use?.blocks ?? []}
              nesting={use?.nesting ?? []}
              nests={entries.filter(({ iri }) => nestedIn(entry).has(iri))}
              selected={selected}
              onSelect={select}
              onChange={change}
              onRemove={() => {
                remove(entry);
              }}
            />
            <Beside
              key={`beside ${entry.iri}`}
              policyId={id}
              entry={entry}
              model={model}
              selected={selected}
              onChange={change}
              onSelect={select}
            />
          </>
        )}
      </div>
    </>
  );
}

/** 122 random bits, version 4; `randomUUID` does not exist on pages without TLS. */
function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20)].join('-');
}
