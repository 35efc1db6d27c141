/** The caller: a verified identity and its platform permissions. */
import { BlockworkError } from '../errors.js';

export interface Caller {
  /** The identity, a DID. It determines ownership of and membership in policies. */
  readonly did: string;
  readonly username?: string;
  /** Platform role, looked up in the permission table. Roles within policies come from memberships only. */
  readonly role?: string;
  /** Platform permissions by name. If given, they replace those of the role. */
  readonly permissions?: readonly string[];
}

/** Decentralized Identifiers 1.0, section 3.1, without parameters, path, query and fragment. */
const DID = /^did:[a-z0-9]+:(?:(?:[\w.-]|%[0-9A-Fa-f]{2})*:)*(?:[\w.-]|%[0-9A-Fa-f]{2})+$/;
const MAX_LENGTH = 500;
/** Characters of an invalid DID shown in the message. */
const SHOWN = 100;

/**
 * Whether the text is a DID, as identities of callers must be.
 *
 * @example if (!isDid(subject)) throw new Error(`The token of ${subject} names no DID.`);
 */
export const isDid = (text: string): boolean => text.length <= MAX_LENGTH && DID.test(text);

/** Throws `CALLER_INVALID`. Verifiers would reject anything signed by a non-DID. */
export function assertCaller(caller: Caller): void {
  // JavaScript callers are not type-checked.
  const did: unknown = (caller as Caller | null | undefined)?.did;
  if (typeof did === 'string' && isDid(did)) return;
  const shown = typeof did === 'string' ? did.slice(0, SHOWN) : `of type ${typeof did}`;
  throw new BlockworkError('CALLER_INVALID', { facts: { did: shown } });
}
