/** Whether the window is too narrow to edit in. */
import { useSyncExternalStore } from 'react';

const narrow = window.matchMedia('(max-width: 48rem)');

function subscribe(listener: () => void): () => void {
  narrow.addEventListener('change', listener);
  return () => {
    narrow.removeEventListener('change', listener);
  };
}

export const useIsNarrow = (): boolean => useSyncExternalStore(subscribe, () => narrow.matches);
