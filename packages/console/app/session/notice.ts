/** A notice about signing in or out, shown above every screen. */
import { useSyncExternalStore } from 'react';

let notice: string | undefined;
const listeners = new Set<() => void>();

/** `undefined` removes the notice. */
export function notify(text: string | undefined): void {
  notice = text;
  for (const listener of listeners) listener();
}

export const useNotice = (): string | undefined => useSyncExternalStore(subscribe, () => notice);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
