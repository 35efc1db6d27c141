/** The schemas of the policy, each with where it is used. */
import { useState, type ReactNode } from 'react';
import { nameOf, type Entry, type UsingBlock } from './draft/entries.js';
import { schemaTexts as texts } from './schema-texts.js';

export interface SchemaUse {
  readonly entry: Entry;
  readonly blocks: readonly UsingBlock[];
  readonly nesting: readonly Entry[];
}

interface ListProps {
  readonly uses: readonly SchemaUse[];
  readonly chosen: string | undefined;
  readonly onChoose: (iri: string) => void;
  /** `null` where nothing can be changed. */
  readonly onAdd: ((name: string) => void) | null;
}

export function SchemaList({ uses, chosen, onChoose, onAdd }: ListProps): ReactNode {
  const [name, setName] = useState('');
  return (
    <nav className="schema-list" aria-label={texts.title}>
      <ul className="plain">
        {uses.map(({ entry, blocks, nesting }) => (
          <li key={entry.iri}>
            <button
              type="button"
              aria-current={entry.iri === chosen ? 'true' : undefined}
              onClick={() => {
                onChoose(entry.iri);
              }}
            >
              <span>{nameOf(entry)}</span>
              <span className="quiet">
                {texts.blocks(blocks.length) || texts.nestedIn(nesting.map(nameOf)) || texts.unused}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {onAdd !== null && (
        <form
          className="inline"
          onSubmit={(event) => {
            event.preventDefault();
            if (name.trim() === '') return;
            onAdd(name.trim());
            setName('');
          }}
        >
          <input
            aria-label={texts.nameOfNew}
            placeholder={texts.newSchema}
            value={name}
            onChange={(event) => {
              setName(event.target.value);
            }}
          />
          <button type="submit">{texts.add}</button>
        </form>
      )}
    </nav>
  );
}
