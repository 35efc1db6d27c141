/** What is changed in the schemas of a draft and not stored yet, with undo: a pure transition beside the hook that saves. */
import type { Entry } from './entries.js';

export interface DraftState {
  /** As the server has them. */
  readonly stored: readonly Entry[];
  readonly revision: number;
  readonly entries: readonly Entry[];
  readonly past: readonly (readonly Entry[])[];
  readonly future: readonly (readonly Entry[])[];
  /** Of the last change: changes of one place in a row are undone as one. */
  readonly place: string | null;
}

export type DraftAction =
  | { readonly type: 'read' | 'stored'; readonly entries: readonly Entry[]; readonly revision: number }
  | { readonly type: 'change'; readonly entries: readonly Entry[]; readonly place: string | null }
  | { readonly type: 'undo' | 'redo' };

/** Steps that can be undone. */
const PAST = 200;

export const isStored = (state: DraftState): boolean => state.entries === state.stored;

export function nextDraft(state: DraftState | null, action: DraftAction): DraftState | null {
  if (action.type === 'read') {
    const { entries, revision } = action;
    if (state === null) return { stored: entries, entries, revision, past: [], future: [], place: null };
    // What was changed here is stored first; the server keeps what others changed meanwhile.
    if (!isStored(state) || revision < state.revision) return state;
    return { ...state, stored: entries, entries, revision };
  }
  if (state === null) return null;
  switch (action.type) {
    case 'stored': {
      const isLatest = state.entries === action.entries;
      return { ...state, stored: action.entries, revision: action.revision, ...(isLatest && { place: null }) };
    }
    case 'change': {
      const isSamePlace = action.place !== null && action.place === state.place;
      const past = isSamePlace ? state.past : [...state.past, state.entries].slice(-PAST);
      return { ...state, entries: action.entries, past, future: [], place: action.place };
    }
    case 'undo': {
      const before = state.past.at(-1);
      if (before === undefined) return state;
      return {
        ...state,
        entries: before,
        past: state.past.slice(0, -1),
        future: [state.entries, ...state.future],
        place: null,
      };
    }
    case 'redo': {
      const [after, ...future] = state.future;
      if (after === undefined) return state;
      return { ...state, entries: after, past: [...state.past, state.entries], future, place: null };
    }
  }
}
