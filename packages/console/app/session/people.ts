/** The people one can be: a token each, kept in the session storage of the tab. */
import { useSyncExternalStore } from 'react';
import { claimsOf, expiryOf } from './json-web-token.js';

export interface Person {
  readonly token: string;
  readonly did: string;
  readonly name: string;
  readonly role: string;
  /** Milliseconds since 1970; `null` for a token without an expiry. */
  readonly expires: number | null;
  /** Whether the provider of the server has signed them in. */
  readonly isFromProvider: boolean;
}

interface People {
  readonly all: readonly Person[];
  readonly active: Person | null;
  /** A token that the server has refused, and its words. */
  readonly refused: { readonly token: string; readonly reason: string } | null;
}

const KEY = 'blockwork-people';
/** Tokens of more people than anybody tries at once; older ones are dropped. */
const MOST = 20;

let people: People = load();
const listeners = new Set<() => void>();
const switchListeners = new Set<() => void>();

/** Calls the listener whenever somebody else becomes active, before any screen is drawn for them. */
export function onSwitch(listener: () => void): void {
  switchListeners.add(listener);
}

/** Who a token claims to be of. The server alone verifies it. `null` for what is no token. */
export function personOf(token: string): Person | null {
  const claims = claimsOf(token);
  if (claims === null) return null;
  const text = (name: string): string => (typeof claims[name] === 'string' ? claims[name] : '');
  const did = text('did') || text('sub');
  const name = text('username') || did;
  return { token, did, name, role: text('role'), expires: expiryOf(claims), isFromProvider: false };
}

export function addPerson(person: Person): void {
  const others = people.all.filter(({ did }) => did !== person.did);
  save({ ...people, all: [...others, person].slice(-MOST), active: person });
}

export function removePerson(did: string): void {
  const all = people.all.filter((person) => person.did !== did);
  save({ ...people, all, active: people.active?.did === did ? (all[0] ?? null) : people.active });
}

export function actAs(did: string): void {
  save({ ...people, active: people.all.find((person) => person.did === did) ?? people.active });
}

/** The server takes this token no more. */
export function refuseToken(token: string, reason: string): void {
  if (people.refused?.token !== token) save({ ...people, refused: { token, reason } });
}

export const activePerson = (): Person | null => people.active;

export const usePeople = (): People => useSyncExternalStore(subscribe, () => people);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function save(changed: People): void {
  const isSwitch = changed.active?.did !== people.active?.did;
  people = changed;
  sessionStorage.setItem(KEY, JSON.stringify({ all: people.all, active: people.active?.did ?? null }));
  if (isSwitch) for (const listener of switchListeners) listener();
  for (const listener of listeners) listener();
}

function load(): People {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as { all?: Person[]; active?: string };
    const all = kept.all ?? [];
    return { all, active: all.find(({ did }) => did === kept.active) ?? all[0] ?? null, refused: null };
  } catch {
    return { all: [], active: null, refused: null };
  }
}
