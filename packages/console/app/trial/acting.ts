/** The user whom the owner acts as in a trial, in the session storage of the tab. */
import { useSyncExternalStore } from 'react';
import { usePeople } from '../session/people.js';

export interface Acting {
  readonly policyId: string;
  readonly did: string;
  readonly name: string;
  /** DID of the owner, whose token sends the requests. */
  readonly owner: string;
}

const KEY = 'blockwork-acting';

let acting: Acting | null = load();
const listeners = new Set<() => void>();

/** `null` to act as oneself. */
export function act(as: Acting | null): void {
  acting = as;
  if (as === null) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, JSON.stringify(as));
  for (const listener of listeners) listener();
}

/** The user whom the owner acts as in this policy; `null` for the owner. */
export function useActing(policyId: string, owner: string | undefined): Acting | null {
  const present = useSyncExternalStore(subscribe, () => acting);
  return present?.policyId === policyId && present.owner === owner ? present : null;
}

/** As `useActing` for the active person; `null` unless the status is that of a trial. */
export function useActingIn(policyId: string, status: string): Acting | null {
  const acting = useActing(policyId, usePeople().active?.did);
  return status === 'DRY-RUN' ? acting : null;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function load(): Acting | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Acting | null;
  } catch {
    return null;
  }
}
