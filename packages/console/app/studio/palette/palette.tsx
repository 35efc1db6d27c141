/** The block types to add: searched by `/`, added by click or Enter where the selected block is. */
import { useMemo, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import type { BlockType } from '../draft/operations.js';
import { useStudio } from '../studio-context.js';
import { studioTexts } from '../texts.js';
import { isFitting, places, spotFor, type Place } from './places.js';
import { useAddBlock } from './use-add-block.js';

const texts = studioTexts.palette;

type Kind = keyof typeof texts.kinds;
const kinds = Object.keys(texts.kinds) as Kind[];

export function Palette({ search }: { readonly search: RefObject<HTMLInputElement | null> }): ReactNode {
  const { types, selected, blocks, dragged } = useStudio();
  const addBlock = useAddBlock();
  const list = useRef<HTMLDivElement>(null);
  /** Of all types, one is in the order of tabs: the last that had the focus. */
  const [tabStop, setTabStop] = useState<string | null>(null);
  const [wanted, setWanted] = useState('');
  const [place, setPlace] = useState<Place>('fitting');
  const groups = useMemo(() => groupsOf([...types.values()], wanted), [types, wanted]);
  const listed = groups.flatMap((group) => group.types.map(({ type }) => type));
  const stop = listed.find((type) => type === tabStop) ?? listed[0];
  const add = (type: BlockType): void => {
    addBlock(type, spotFor(place, type, selected, blocks, types));
  };
  const focus = (index: number): void => {
    const buttons = list.current?.querySelectorAll('button') ?? [];
    buttons[Math.min(buttons.length - 1, Math.max(0, index))]?.focus();
  };
  const onListKey = (event: KeyboardEvent): void => {
    const at = listed.indexOf(stop ?? '');
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: listed.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    focus(next);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    const first = groups[0]?.types[0];
    if (event.key === 'ArrowDown' && first !== undefined) {
      event.preventDefault();
      focus(0);
    }
    if (event.key !== 'Enter' || first === undefined || wanted === '') return;
    event.preventDefault();
    add(first);
    setWanted('');
  };
  return (
    <section className="palette" aria-label={texts.title}>
      <input
        ref={search}
        type="search"
        aria-label={texts.search}
        aria-keyshortcuts="/"
        placeholder={`${texts.search}  /`}
        value={wanted}
        onChange={(event) => {
          setWanted(event.target.value);
        }}
        onKeyDown={onKeyDown}
      />
      <label className="place">
        {texts.place}{' '}
        <select
          value={place}
          onChange={(event) => {
            setPlace(places.find((each) => each === event.target.value) ?? 'fitting');
          }}
        >
          {places.map((each) => (
            <option key={each} value={each}>
              {texts.places[each]}
            </option>
          ))}
        </select>
      </label>
      <div ref={list} className="types" role="group" aria-label={texts.types} onKeyDown={onListKey}>
        {groups.length === 0 && <p className="quiet">{texts.none}</p>}
        {groups.map(({ kind, types: ofKind }) => (
          <section key={kind}>
            <h2>{texts.kinds[kind]}</h2>
            {ofKind.map((type) => {
              const around = blocks.byId.get(spotFor(place, type, selected, blocks, types).parent);
              const fits = around === undefined || isFitting(type, around, types);
              return (
                <button
                  key={type.type}
                  type="button"
                  className={fits ? 'type' : 'type misfit'}
                  title={fits ? type.description : `${type.description} ${texts.misfit}`}
                  tabIndex={type.type === stop ? 0 : -1}
                  draggable
                  onFocus={() => {
                    setTabStop(type.type);
                  }}
                  onDragStart={({ dataTransfer }) => {
                    dragged.current = { type: type.type };
                    dataTransfer.effectAllowed = 'copy';
                    dataTransfer.setData('text/plain', type.title);
                  }}
                  onDragEnd={() => {
                    dragged.current = null;
                  }}
                  onClick={() => {
                    add(type);
                  }}
                >
                  <span className={`tone-dot kind-${type.kind}`} aria-hidden="true" /> {type.title}
                </button>
              );
            })}
          </section>
        ))}
      </div>
    </section>
  );
}

/** Those whose title, name or description has all words, by kind. */
function groupsOf(types: readonly BlockType[], wanted: string): { kind: Kind; types: BlockType[] }[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = types.filter(({ title, type, description }) => {
    const text = `${title} ${type} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const isNamed = ({ title }: BlockType): boolean => words.every((word) => title.toLowerCase().includes(word));
  return kinds
    .map((kind) => ({
      kind,
      types: matches
        .filter((type) => type.kind === kind)
        .sort((a, b) => Number(isNamed(b)) - Number(isNamed(a)) || a.title.localeCompare(b.title)),
    }))
    .filter((group) => group.types.length > 0)
    .sort((a, b) => (words.length === 0 ? 0 : Number(b.types.some(isNamed)) - Number(a.types.some(isNamed))));
}
