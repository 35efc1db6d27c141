/** The people one can be: a token each, kept in the session storage of the tab. */
import { useSyncExternalStore } from 'react';

export interface Person {
  readonly token: string;
  readonly did: string;
  readonly name: string;
  readonly role: string;
  /** Milliseconds since 1970; `null` for a token without an expiry. */
  readonly expires: number | null;
}

interface People {
  readonly all: readonly Person[];
  readonly active: Person | null;
}

const KEY = 'blockwork-people';
/** Tokens of more people than anybody tries at once; older ones are dropped. */
const MOST = 20;

let people: People = load();
const listeners = new Set<() => void>();

/** Reads what a token claims. The server alone verifies it. `null` for what is no token. */
export function personOf(token: string): Person | null {
  const [, payload, signature] = token.split('.');
  if (payload === undefined || signature === undefined) return null;
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    );
    const claims = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
    const text = (name: string): string => (typeof claims[name] === 'string' ? claims[name] : '');
    const did = text('did') || text('sub');
    const expires = typeof claims['exp'] === 'number' ? claims['exp'] * 1000 : null;
    return { token, did, name: text('username') || did, role: text('role'), expires };
  } catch {
    return null;
  }
}

export function addPerson(person: Person): void {
  const others = people.all.filter(({ did }) => did !== person.did);
  save({ all: [...others, person].slice(-MOST), active: person });
}

export function removePerson(did: string): void {
  const all = people.all.filter((person) => person.did !== did);
  save({ all, active: people.active?.did === did ? (all[0] ?? null) : people.active });
}

export function actAs(did: string): void {
  save({ ...people, active: people.all.find((person) => person.did === did) ?? people.active });
}

export const usePeople = (): People => useSyncExternalStore(subscribe, () => people);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function save(changed: People): void {
  people = changed;
  const kept = { tokens: people.all.map(({ token }) => token), active: people.active?.did ?? null };
  sessionStorage.setItem(KEY, JSON.stringify(kept));
  for (const listener of listeners) listener();
}

function load(): People {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as { tokens?: string[]; active?: string };
    const all = (kept.tokens ?? []).flatMap((token) => personOf(token) ?? []);
    return { all, active: all.find(({ did }) => did === kept.active) ?? all[0] ?? null };
  } catch {
    return { all: [], active: null };
  }
}
