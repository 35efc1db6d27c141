import { runInNewContext } from 'node:vm';
import { isBlockworkError } from '../errors.js';
import { describe, expect, it } from 'vitest';
import { checkOptions, withDefaults } from './check-options.js';
import { optionTypes } from '../defaults/option-types.js';
import type { OptionType } from './value-types.js';

const shape = {
  size: optionTypes.wholeNumber(1, 10),
  name: optionTypes.text,
  tags: optionTypes.list(optionTypes.text),
};
const refusalOf = (options: unknown, prefix?: string): string => {
  try {
    checkOptions(options as object, shape, prefix);
  } catch (error) {
    if (isBlockworkError(error, 'OPTION_INVALID')) return error.message;
    throw error;
  }
  return 'accepted';
};

describe('options', () => {
  it('may all be absent, and undefined means absent', () => {
    expect(refusalOf({})).toBe('accepted');
    expect(refusalOf({ size: undefined, name: 'x' })).toBe('accepted');
  });

  it.each<[unknown, string]>([
    [{ size: 0 }, 'The option size cannot be used: it must be a whole number from 1 to 10.'],
    [{ size: null }, 'The option size cannot be used: it must be a whole number from 1 to 10.'],
    [{ tags: ['a', 5] }, 'The option tags[1] cannot be used: it must be a non-empty string.'],
    [{ sice: 5 }, 'The option sice cannot be used: there is no such option (did you mean "size"?).'],
    [{ colour: 5 }, 'The option colour cannot be used: there is no such option; there are size, name, tags.'],
    [null, 'The option options cannot be used: it must be of type object, not null.'],
    [[], 'The option options cannot be used: it must be of type object, not array.'],
  ])('are refused by name: %j', (options, message) => {
    expect(refusalOf(options)).toBe(message);
  });

  it('are a plain object: what holds itself all that it knows would be taken for no options at all', () => {
    class Hub {
      #size = 5;
      readonly size = (): number => this.#size;
    }
    class Silent {
      #size = 5;
      read(): number {
        return this.#size;
      }
    }
    expect(refusalOf(new Silent(), 'memory link: ')).toBe(
      'The option memory link: options cannot be used: it is not a plain object but an instance of Silent.',
    );
    expect(refusalOf(new Hub())).toContain('The option size cannot be used');
    expect(refusalOf(Object.assign(Object.create(null) as object, { size: 5 }))).toBe('accepted');
    expect(refusalOf(runInNewContext('({ size: 5 })'))).toBe('accepted');
  });

  it('are named with the option or the factory that they belong to', () => {
    expect(refusalOf({ size: 0 }, 'limits.')).toContain('The option limits.size ');
    expect(refusalOf(null, 'limits.')).toContain('The option limits ');
    expect(refusalOf({ size: 0 }, 'memory store: ')).toContain('The option memory store: size ');
    expect(refusalOf(5, 'memory store: ')).toContain('The option memory store: options ');
  });

  it('keep their defaults where they are undefined', () => {
    expect(withDefaults<{ a: number; b: number }>({ a: 1, b: undefined } as never, { a: 5, b: 6 })).toEqual({
      a: 1,
      b: 6,
    });
  });
});

describe('the type of an option', () => {
  const accepts = (type: OptionType, value: unknown): boolean => type.safeParse(value).success;
  class Clock {
    now(): number {
      return 0;
    }
  }

  it.each<[string, OptionType, unknown[], unknown[]]>([
    ['a text', optionTypes.text, ['a'], ['', 5, null]],
    ['a flag', optionTypes.flag, [true, false], ['true', 0, null]],
    ['a function', optionTypes.function, [() => 1], [{}, null]],
    ['an object', optionTypes.object, [{}], [[], null, 'x']],
    ['one of some', optionTypes.oneOf('a', 'b'), ['a', 'b'], ['c', null, 5]],
    ['a whole number', optionTypes.wholeNumber(0), [0, 5], [-1, 0.5, NaN, Infinity, '5', null]],
    ['milliseconds', optionTypes.milliseconds(1), [1, 2 ** 31 - 1], [0, 2 ** 31]],
    [
      'a backoff',
      optionTypes.backoff,
      [
        [1, 1],
        [50, 10_000],
      ],
      [[0, 1], [2, 1], [1], [1, 2, 3], [1, 2 ** 31], 5, null],
    ],
    ['a port', optionTypes.clock, [new Clock(), { now: () => 5 }], [{}, { now: 5 }, null, () => 5]],
  ])('is %s', (_, type, good, bad) => {
    expect(good.filter((value) => !accepts(type, value))).toEqual([]);
    expect(bad.filter((value) => accepts(type, value))).toEqual([]);
  });

  it('says which methods a port must have', () => {
    expect(optionTypes.logger.safeParse({}).error?.issues[0]?.message).toBe(
      'must have the methods debug, info, warn, error',
    );
  });
});
