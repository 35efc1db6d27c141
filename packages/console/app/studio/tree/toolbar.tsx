/** Above the tree: search in it, and everything that is done to the selected block. */
import type { ReactNode } from 'react';
import type { DraftState } from '../draft/draft.js';
import { useStudio } from '../studio-context.js';
import { studioTexts as texts } from '../texts.js';
import type { Direction } from './selection.js';
import { useBlockActions } from './use-block-actions.js';

interface ToolbarProps {
  readonly state: DraftState;
  readonly search: string;
  readonly onSearch: (search: string) => void;
  readonly isCode: boolean;
  readonly onCode: (isCode: boolean) => void;
  /** Begins or ends a trial, or does neither. */
  readonly trial: ReactNode;
}

const directions: readonly { readonly direction: Direction; readonly sign: string }[] = [
  { direction: 'up', sign: '↑' },
  { direction: 'down', sign: '↓' },
  { direction: 'inwards', sign: '→' },
  { direction: 'outwards', sign: '←' },
];

export function Toolbar({ state, search, onSearch, isCode, onCode, trial }: ToolbarProps): ReactNode {
  const { draft, isReadOnly } = useStudio();
  const actions = useBlockActions();
  return (
    <div className="toolbar">
      <input
        type="search"
        aria-label={texts.search}
        placeholder={texts.search}
        value={search}
        onChange={(event) => {
          onSearch(event.target.value);
        }}
      />
      {!isReadOnly && (
        <div className="tools" role="group" aria-label={texts.actions}>
          <Tool name={texts.undo} sign="↶" isOff={state.stacks.done.length === 0} onClick={() => void draft.undo()} />
          <Tool name={texts.redo} sign="↷" isOff={state.stacks.undone.length === 0} onClick={() => void draft.redo()} />
          {directions.map(({ direction, sign }) => (
            <Tool
              key={direction}
              name={texts[direction]}
              sign={sign}
              isOff={!actions.canMove(direction)}
              onClick={() => {
                actions.move(direction);
              }}
            />
          ))}
          <button
            type="button"
            onClick={() => {
              actions.copy();
            }}
          >
            {texts.copy}
          </button>
          <button
            type="button"
            disabled={!actions.canRemove}
            onClick={() => {
              actions.cut();
            }}
          >
            {texts.cut}
          </button>
          <button
            type="button"
            onClick={() => {
              actions.paste();
            }}
          >
            {texts.paste}
          </button>
          <button type="button" disabled={!actions.canRemove} onClick={actions.remove}>
            {texts.remove}
          </button>
        </div>
      )}
      <div className="tools ends">
        <button
          type="button"
          aria-pressed={isCode}
          onClick={() => {
            onCode(!isCode);
          }}
        >
          {texts.code.show}
        </button>
        {trial}
      </div>
    </div>
  );
}

interface ToolProps {
  readonly name: string;
  readonly sign: string;
  readonly isOff: boolean;
  readonly onClick: () => void;
}

const Tool = ({ name, sign, isOff, onClick }: ToolProps): ReactNode => (
  <button type="button" className="tool" aria-label={name} title={name} disabled={isOff} onClick={onClick}>
    <span aria-hidden="true">{sign}</span>
  </button>
);
