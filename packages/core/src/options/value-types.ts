/** Types of options that are values. The messages continue "it ...". */
import { z } from 'zod';
import { isObject } from '../records/index.js';

export type OptionType<Value = unknown> = z.ZodType<Value, Value>;

/** Accepts values that pass the test; `requirement` reads like "must be a port number". */
const satisfying = <Value>(test: (value: unknown) => boolean, requirement: string): OptionType<Value> =>
  z.custom<Value>(test, requirement);

const isFunction = (value: unknown): boolean => typeof value === 'function';
const isWhole = (value: unknown, least: number, most: number): value is number =>
  Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;

function isBackoff(value: unknown, longest: number): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [first, most] = value as unknown[];
  return isWhole(first, 1, longest) && isWhole(most, first, longest);
}

/** Node fires longer timers immediately. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const valueTypes = {
  satisfying,
  /** The same check, for a TypeScript type that says more than it. */
  as: <Value>(type: OptionType): OptionType<Value> => type as OptionType<Value>,
  text: satisfying<string>((value) => typeof value === 'string' && value !== '', 'must be a non-empty string'),
  flag: satisfying<boolean>((value) => typeof value === 'boolean', 'must be true or false'),
  function: satisfying<(...args: never) => unknown>(isFunction, 'must be a function'),
  object: satisfying<object>(isObject, 'must be an object'),
  list: <Item = unknown>(of?: OptionType<Item>): OptionType<readonly Item[]> => z.array(of ?? z.custom<Item>()),
  oneOf: <const Values extends readonly string[]>(...values: Values): OptionType<Values[number]> =>
    satisfying((value) => values.some((each) => each === value), `must be one of ${values.join(', ')}`),
  wholeNumber: (least: number, most = Number.MAX_SAFE_INTEGER): OptionType<number> =>
    satisfying(
      (value) => isWhole(value, least, most),
      `must be a whole number from ${least}${most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`}`,
    ),
  /** A duration that a timer supports. */
  milliseconds: (least: number): OptionType<number> => valueTypes.wholeNumber(least, LONGEST_TIMER_MS),
  /** Initial and maximum backoff in milliseconds, such as `[50, 10_000]`. */
  backoff: satisfying<readonly [first: number, most: number]>(
    (value) => isBackoff(value, LONGEST_TIMER_MS),
    `must be two whole numbers from 1 to ${LONGEST_TIMER_MS}, the smaller one first`,
  ),
};
