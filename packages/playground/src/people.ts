/** The people of the playground, and their tokens: unsigned, since the server that reads them is the page itself. */
import type { Caller } from '@blockwork/core';

const user = (username: string): Caller => ({ did: `did:example:${username}`, username, role: 'USER' });

export const registry: Caller = { did: 'did:example:registry', username: 'registry', role: 'STANDARD_REGISTRY' };

/** The owner of every policy, and users who have no role in any until they choose one. */
export const people: readonly Caller[] = [registry, ...['alice', 'ines', 'ben', 'vera', 'visitor'].map(user)];

export const tokenOf = (caller: Caller): string => ['playground', toBase64(JSON.stringify(caller)), ''].join('.');

/** `undefined` for anything but a token of somebody above. */
export function callerOf(token: string): Caller | undefined {
  return people.find((person) => tokenOf(person) === token);
}

const toBase64 = (text: string): string => btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
