/** The keys of the studio, wherever on the page the focus is: search, undo, trial, and from pane to pane. */
import { useEffect, useRef, type RefObject } from 'react';

export interface Shortcuts {
  readonly search: () => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly save: () => void;
  readonly tryIt: () => void;
}

/** `studio`: the element whose panes F6 goes through. */
export function useShortcuts(studio: RefObject<HTMLElement | null>, isReadOnly: boolean, shortcuts: Shortcuts): void {
  const latest = useRef({ isReadOnly, shortcuts });
  latest.current = { isReadOnly, shortcuts };
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      // A dialog has keys of its own.
      if (event.defaultPrevented || document.querySelector('dialog[open]') !== null) return;
      const { shortcuts: keys, isReadOnly: isOff } = latest.current;
      const act = event.key === 'F6' ? () => goToPane(studio.current, event.shiftKey) : actionOf(event, keys, isOff);
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', listen);
    return () => {
      document.removeEventListener('keydown', listen);
    };
  }, [studio]);
}

/** In a field, the keys of the field come first. */
function actionOf(
  { key, ctrlKey, metaKey, altKey, shiftKey, target }: KeyboardEvent,
  { search, undo, redo, save, tryIt }: Shortcuts,
  isReadOnly: boolean,
): (() => void) | undefined {
  const isField = target instanceof HTMLElement && target.matches('input, textarea, select, .code');
  if (ctrlKey || metaKey) {
    if (key === 'Enter') return tryIt;
    if (isReadOnly) return undefined;
    if (key.toLowerCase() === 's') return save;
    if (isField) return undefined;
    if (key.toLowerCase() === 'z') return shiftKey ? redo : undo;
    return key.toLowerCase() === 'y' ? redo : undefined;
  }
  return key === '/' && !altKey && !isField && !isReadOnly ? search : undefined;
}

/** In the order of the screen, with what has the focus first in each. */
const panes = ['.palette', '.middle', '.properties', '.status'];
const firstInPane = ['.palette > input', '.middle > .nodes', '.middle > .code', '.status .bar button'].join();

/** A pane that is not shown is passed by. */
function goToPane(studio: HTMLElement | null, isBack: boolean): void {
  const shown = [...(studio?.querySelectorAll<HTMLElement>(panes.join()) ?? [])];
  const at = shown.findIndex((pane) => pane.contains(document.activeElement));
  const next = at === -1 ? (isBack ? -1 : 0) : (at + (isBack ? -1 : 1)) % shown.length;
  const pane = shown.at(next);
  const target = pane?.querySelector<HTMLElement>(firstInPane) ?? pane;
  // The editor of code is in a root of its own.
  (target?.shadowRoot?.querySelector<HTMLElement>('[contenteditable]') ?? target)?.focus();
}
