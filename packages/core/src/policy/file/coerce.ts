/** Reads members that are not always written as they should be; what cannot be understood is complained of, never fatal. */
import { isObject } from '../../records/index.js';
import { pointerStep } from '../model/pointer.js';
import { quote } from '../model/quote.js';

/** @param member JSON pointer from the thing that is being read to the member at fault. */
export type Complain = (member: string, message: string) => void;

export function flag(value: unknown, member: string, complain: Complain, fallback = false): boolean {
  if (value === undefined || value === null) return fallback;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string' && /^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  complain(member, `is ${quote(value)}, not true or false; read as ${fallback}`);
  return fallback;
}

export function text(value: unknown, member: string, complain: Complain): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  complain(member, `is ${quote(value)}, not text; read as empty`);
  return '';
}

/** A list of texts; a single text is taken as a list of one. */
export function texts(value: unknown, member: string, complain: Complain): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return items(value, member, complain).filter((item, index): item is string => {
    if (typeof item === 'string') return true;
    complain(member + pointerStep(index), `is ${quote(item)}, not text; left out`);
    return false;
  });
}

export function objects(value: unknown, member: string, complain: Complain): Record<string, unknown>[] {
  return items(value, member, complain).filter((item, index): item is Record<string, unknown> => {
    if (isObject(item)) return true;
    complain(member + pointerStep(index), `is ${quote(item)}, not an object; left out`);
    return false;
  });
}

export function items(value: unknown, member: string, complain: Complain): unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  complain(member, `is ${quote(value)}, not a list; left out`);
  return [];
}
