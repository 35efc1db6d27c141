/** Containers and steps: their open children as tabs, in sequence, or only the current step. */
import { BlockView, type BlockViewProps, type Slot, titleOf } from '@blockwork/react';
import { createContext, useContext, type ReactNode } from 'react';
import { useAddressTexts } from '../../shell/hash-location.js';
import { texts } from '../../texts.js';
import { Loaded } from '../../ui/loaded.js';
import { useBlock } from '../policy-context.js';

interface ContainerAnswer {
  readonly uiMetaData?: { readonly type?: string; readonly title?: string };
  readonly blocks: readonly (Slot | null)[];
  /** Of a step: the position of its current child. */
  readonly index?: number;
}

/** Whether the container is the only content of a tab; if empty, it then shows a note. */
const FillsTab = createContext(false);

export function Container({ block }: BlockViewProps): ReactNode {
  const query = useBlock<ContainerAnswer>(block.id);
  return <Loaded query={query}>{(answer) => <Children id={block.id} answer={answer} />}</Loaded>;
}

function Children({ id, answer }: { readonly id: string; readonly answer: ContainerAnswer }): ReactNode {
  const { blocks, index, uiMetaData } = answer;
  const current = index === undefined ? undefined : blocks[index];
  const open = index === undefined ? blocks.filter((slot) => slot !== null) : current ? [current] : [];
  const fillsTab = useContext(FillsTab);
  if (fillsTab && open.length === 0) return <p className="quiet">{texts.page.empty}</p>;
  if (uiMetaData?.type === 'tabs') return <Tabs id={id} slots={open} />;
  return (
    <FillsTab value={fillsTab && open.length === 1}>
      <div className="stack in-order">
        {open.map((slot) => (
          <BlockView key={slot.id} block={slot} />
        ))}
      </div>
    </FillsTab>
  );
}

/** The open tab is part of the URL. */
function Tabs({ id, slots }: { readonly id: string; readonly slots: readonly Slot[] }): ReactNode {
  const [addressTexts, change] = useAddressTexts(`${id}.`);
  const chosen = addressTexts.get('tab');
  const current = slots.find((slot) => slot.id === chosen) ?? slots[0];
  if (current === undefined) return null;
  const move = (by: number): void => {
    const at = slots.indexOf(current);
    const next = slots[(at + by + slots.length) % slots.length];
    if (next === undefined) return;
    change({ tab: next.id });
    document.getElementById(`tab-${next.id}`)?.focus();
  };
  return (
    <div className="stack">
      <div role="tablist" className="tabs">
        {slots.map((slot) => (
          <button
            key={slot.id}
            id={`tab-${slot.id}`}
            type="button"
            role="tab"
            aria-selected={slot === current}
            aria-controls={`panel-${slot.id}`}
            tabIndex={slot === current ? 0 : -1}
            className={slot === current ? 'active' : ''}
            onClick={() => {
              if (slot !== current) change({ tab: slot.id });
            }}
            onKeyDown={(event) => {
              if (event.key === 'ArrowRight') move(1);
              if (event.key === 'ArrowLeft') move(-1);
            }}
          >
            {titleOf(slot)}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`panel-${current.id}`} aria-labelledby={`tab-${current.id}`}>
        <FillsTab value>
          <BlockView key={current.id} block={current} />
        </FillsTab>
      </div>
    </div>
  );
}
