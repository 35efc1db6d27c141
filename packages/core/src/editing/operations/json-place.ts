/** Places in a JSON value by JSON pointer (RFC 6901), and changes that keep the order of the other members. */
import { isObject } from '../../records/index.js';

export const stepsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

/** `undefined` if there is nothing. */
export function valueAt(value: unknown, steps: readonly string[]): unknown {
  let at: unknown = value;
  for (const step of steps) {
    if (Array.isArray(at)) at = indexOf(step) === null ? undefined : at[Number(step)];
    else if (isObject(at) && Object.hasOwn(at, step)) at = at[step];
    else return undefined;
  }
  return at;
}

/** `null` if the step is no index of a list. */
export const indexOf = (step: string): number | null => (/^(0|[1-9]\d{0,8})$/.test(step) ? Number(step) : null);

/** Sets a member; a new one is written before another, or last. */
export function setMember(target: Record<string, unknown>, name: string, value: unknown, before?: string): void {
  const isNew = !Object.hasOwn(target, name);
  target[name] = value;
  if (!isNew || before === undefined || before === name || !Object.hasOwn(target, before)) return;
  const following = Object.keys(target);
  const moved = following.slice(following.indexOf(before)).filter((key) => key !== name);
  for (const key of moved) {
    const member = target[key];
    Reflect.deleteProperty(target, key);
    target[key] = member;
  }
}

/** The member after this one. */
export function memberAfter(target: Record<string, unknown>, name: string): string | undefined {
  const names = Object.keys(target);
  return names[names.indexOf(name) + 1];
}
