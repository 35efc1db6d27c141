/** The events of the selected block: where they lead, where they come from, and a form to connect another. */
import { useState, type ReactNode } from 'react';
import { linksOf, type LinkSource } from '../draft/blocks.js';
import type { EditOperation } from '../draft/operations.js';
import { useStudio } from '../studio-context.js';
import { studioTexts } from '../texts.js';
import { Field } from './fields.js';
import { TAG_LIST } from './tag-list.js';

const texts = studioTexts.properties;

interface Written {
  readonly link: LinkSource;
  /** The block that it is written at. */
  readonly at: string;
  /** Which of several equal ones it is there. */
  readonly index: number;
}

function useLinks(): readonly Written[] {
  const { blocks } = useStudio();
  return [...blocks.byId.values()].flatMap(({ id, tag, source }) => {
    const links = linksOf(source).map((link) => (link.source === '' ? { ...link, source: tag } : link));
    return links.map((link, position) => ({
      ...{ link, at: id },
      index: links.slice(0, position).filter((each) => isSame(each, link)).length,
    }));
  });
}

const isSame = (a: LinkSource, b: LinkSource): boolean =>
  a.source === b.source && a.target === b.target && a.output === b.output && a.input === b.input;

export function LinksSection(): ReactNode {
  const { selected, isReadOnly } = useStudio();
  const all = useLinks();
  const { tag } = selected;
  const out = tag === '' ? [] : all.filter(({ link }) => link.source === tag);
  const incoming = tag === '' ? [] : all.filter(({ link }) => link.target === tag);
  return (
    <details open>
      <summary>{texts.links}</summary>
      {out.length + incoming.length === 0 && <p className="quiet">{texts.noLinks}</p>}
      <Links title={texts.out} links={out} other="target" />
      <Links title={texts.in} links={incoming} other="source" />
      {!isReadOnly && tag !== '' && <Connect />}
    </details>
  );
}

interface LinksProps {
  readonly title: string;
  readonly links: readonly Written[];
  readonly other: 'source' | 'target';
}

function Links({ title, links, other }: LinksProps): ReactNode {
  const { blocks, select, edit, isReadOnly } = useStudio();
  if (links.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul className="plain link-chips">
        {links.map(({ link, at, index }) => {
          const block = blocks.byTag.get(link[other]);
          return (
            <li key={`${at} ${JSON.stringify(link)} ${String(index)}`}>
              <span className="quiet">
                {link.output} → {link.input}
              </span>{' '}
              {block === undefined ? (
                <span className="problem">{link[other]}</span>
              ) : (
                <button
                  type="button"
                  className="link"
                  onClick={() => {
                    select(block.id);
                  }}
                >
                  {link[other]}
                </button>
              )}
              {!isReadOnly && (
                <button
                  type="button"
                  className="quiet-button"
                  aria-label={texts.disconnect(link.output, link.target)}
                  title={texts.disconnect(link.output, link.target)}
                  onClick={() => void edit([{ op: 'disconnect', block: at, link, index }])}
                >
                  ×
                </button>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}

function Connect(): ReactNode {
  const { selected, types, blocks, edit } = useStudio();
  const type = types.get(selected.type);
  const outputs = [...new Set([...(type?.outputs ?? ['RunEvent']), ...buttonTags(selected.source)])];
  const [output, setOutput] = useState('');
  const [target, setTarget] = useState('');
  const [input, setInput] = useState('');
  const inputs = types.get(blocks.byTag.get(target)?.type ?? '')?.inputs ?? ['RunEvent'];
  const chosen = {
    output: outputs.includes(output) ? output : (outputs[0] ?? ''),
    input: inputs.includes(input) ? input : (inputs[0] ?? ''),
  };
  const connect = async (): Promise<void> => {
    const link = { source: selected.tag, target, ...chosen, actor: '' } as const;
    const operation: EditOperation = { op: 'connect', block: selected.id, link };
    if (await edit([operation])) setTarget('');
  };
  return (
    <form
      className="connect"
      onSubmit={(event) => {
        event.preventDefault();
        if (target !== '') void connect();
      }}
    >
      <Field label={texts.output}>
        {({ id }) => (
          <select
            id={id}
            value={chosen.output}
            onChange={(event) => {
              setOutput(event.target.value);
            }}
          >
            {outputs.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        )}
      </Field>
      <Field label={texts.target}>
        {({ id }) => (
          <input
            id={id}
            list={TAG_LIST}
            value={target}
            onChange={(event) => {
              setTarget(event.target.value);
            }}
          />
        )}
      </Field>
      <Field label={texts.input}>
        {({ id }) => (
          <select
            id={id}
            value={chosen.input}
            onChange={(event) => {
              setInput(event.target.value);
            }}
          >
            {inputs.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        )}
      </Field>
      <button type="submit">{texts.connect}</button>
    </form>
  );
}

/** Buttons add outputs, which have their tags. */
function buttonTags({ uiMetaData }: Readonly<Record<string, unknown>>): string[] {
  const { buttons } = (uiMetaData ?? {}) as { readonly buttons?: unknown };
  if (!Array.isArray(buttons)) return [];
  return buttons.flatMap((button: unknown) => {
    const { tag } = (button ?? {}) as { readonly tag?: unknown };
    return typeof tag === 'string' && tag !== '' ? [tag] : [];
  });
}
