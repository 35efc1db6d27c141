/** The block types to add: searched by `/`, added by click or Enter where the selected block is. */
import { useMemo, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import { permissionsOf } from '../draft/blocks.js';
import { newBlock, type BlockType } from '../draft/operations.js';
import { useStudio } from '../studio-context.js';
import { studioTexts } from '../texts.js';
import { isFitting, places, spotFor, type Place } from './places.js';

const texts = studioTexts.palette;

type Kind = keyof typeof texts.kinds;
const kinds = Object.keys(texts.kinds) as Kind[];

export function Palette({ search }: { readonly search: RefObject<HTMLInputElement | null> }): ReactNode {
  const studio = useStudio();
  const { types, selected, blocks } = studio;
  const [wanted, setWanted] = useState('');
  const [place, setPlace] = useState<Place>('fitting');
  const groups = useMemo(() => groupsOf([...types.values()], wanted), [types, wanted]);
  const add = (type: BlockType): void => {
    const { parent, index } = spotFor(place, type, selected, blocks, types);
    const around = blocks.byId.get(parent);
    const block = newBlock(type, blocks.tags, permissionsOf(around?.source ?? selected.source));
    void (async () => {
      const isSaved = await studio.edit([{ op: 'addBlock', parent, index, block }]);
      if (!isSaved) return;
      studio.say(studioTexts.said.added(block.tag));
      studio.selectAdded(block.tag);
    })();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    const first = groups[0]?.types[0];
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
      <div className="types" role="group" aria-label={texts.types} tabIndex={0}>
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
  const found = types.filter(({ title, type, description }) => {
    const text = `${title} ${type} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const isNamed = ({ title }: BlockType): boolean => words.every((word) => title.toLowerCase().includes(word));
  return kinds
    .map((kind) => ({
      kind,
      types: found
        .filter((type) => type.kind === kind)
        .sort((a, b) => Number(isNamed(b)) - Number(isNamed(a)) || a.title.localeCompare(b.title)),
    }))
    .filter((group) => group.types.length > 0)
    .sort((a, b) => (words.length === 0 ? 0 : Number(b.types.some(isNamed)) - Number(a.types.some(isNamed))));
}
