/** Members that would change the prototype of what they are copied to: refused in files as they are in bodies. */
import { isObject } from '../../../records/index.js';
import { pointerStep } from '../../model/pointer.js';

/** Also escaped. Most files have none of these, and are not walked. */
const suspect = /__proto__|constructor|\\u00/i;

/** The JSON pointer of such a member in a parsed text, if there is one. */
export const prototypeMemberIn = (text: string, value: unknown): string | undefined =>
  suspect.test(text) ? memberBelow(value, '') : undefined;

function memberBelow(value: unknown, pointer: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const at = pointer + pointerStep(key);
    const path = changesPrototype(key, member) ? at : memberBelow(member, at);
    if (path !== undefined) return path;
  }
  return undefined;
}

/** `constructor` alone is a name like any other. */
export const changesPrototype = (key: string, member: unknown): boolean =>
  key === '__proto__' || (key === 'constructor' && isObject(member) && Object.hasOwn(member, 'prototype'));

export const prototypeReason = (place: string): string =>
  `${place} would change a prototype: rename or remove the member`;
