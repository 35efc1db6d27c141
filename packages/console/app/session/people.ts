/** The signed-in people: a token for each, in the session storage of the tab. */
import { useSyncExternalStore } from 'react';
import { claimsOf, expiryOf } from './json-web-token.js';
import { storePeople, storedPeople, type StoredPeople, type Person } from './stored-people.js';

export type { Person } from './stored-people.js';

interface People extends StoredPeople {
  /** A token that the server rejected, and its error message. */
  readonly refused: { readonly token: string; readonly reason: string } | null;
}

/** Maximum number of people; older ones are dropped. */
const MOST = 20;

let people: People = { ...storedPeople(), refused: null };
const listeners = new Set<() => void>();
const switchListeners = new Set<() => void>();

/** Calls the listener when another person becomes active, before any screen renders for them. */
export function onSwitch(listener: () => void): void {
  switchListeners.add(listener);
}

/** The person that a token claims, unverified. `null` if the text is not a token. */
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

/** Records that the server rejected this token. */
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
  storePeople(people);
  if (isSwitch) for (const listener of switchListeners) listener();
  for (const listener of listeners) listener();
}
