/** Coerces members of policy files to their types; reports what cannot be coerced and never throws. */
import { isObject } from '../../../records/index.js';
import { pointerStep } from '../../model/pointer.js';
import { quote } from '../../model/quote.js';

/**
 * @param member JSON pointer to the member at fault, relative to the value that is being read. @param name what the member is probably
 * meant to be called.
 */
export type Report = (member: string, message: string, name?: string) => void;

export function toBoolean(value: unknown, member: string, report: Report, fallback = false): boolean {
  if (value === undefined || value === null) return fallback;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string' && /^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  report(member, `is ${quote(value)}, not true or false; read as ${fallback}`);
  return fallback;
}

export function toText(value: unknown, member: string, report: Report): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  report(member, `is ${quote(value)}, not text; read as empty`);
  return '';
}

/** Also accepts a single text. */
export function toTexts(value: unknown, member: string, report: Report): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return listFrom(value, member, report, 'Write a list of texts, such as ["one", "two"]').filter(
    (item, index): item is string => {
      if (typeof item === 'string') return true;
      report(member + pointerStep(index), `is ${quote(item)}, not text; left out`);
      return false;
    },
  );
}

export function toObjects(value: unknown, member: string, report: Report): Record<string, unknown>[] {
  return toList(value, member, report).filter((item, index): item is Record<string, unknown> => {
    if (isObject(item)) return true;
    report(member + pointerStep(index), `is ${quote(item)}, not an object; left out`);
    return false;
  });
}

export const toList = (value: unknown, member: string, report: Report): unknown[] => listFrom(value, member, report);

function listFrom(value: unknown, member: string, report: Report, advice = ''): unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  report(member, `is ${quote(value)}, not a list; left out${advice === '' ? '' : `. ${advice}`}`);
  return [];
}
