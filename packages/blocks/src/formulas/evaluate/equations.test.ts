import { describe, expect, it } from 'vitest';
import { solve } from '../index.js';

const equation = (variable: string, formula: string) => ({ variable, formula });

describe('equations', () => {
  it('use what those before them gave, exactly', () => {
    const { values } = solve([equation('third', 'x / 3'), equation('whole', 'third * 3 == 0.9999999999999999')], {
      x: 1,
    });
    expect(values).toEqual({ third: 0.3333333333333333, whole: false });
  });

  it('that fail leave their variable without a value, even where it had one', () => {
    const { values, failures } = solve([equation('a', '1/0'), equation('b', 'a + 1'), equation('c', '2')], { a: 5 });
    expect(values).toEqual({ c: 2 });
    expect(failures.map(({ variable, error }) => [variable, error.reason])).toEqual([
      ['a', 'It divides by zero'],
      ['b', 'Nothing is called "a"'],
    ]);
  });

  it('can be called what objects have by nature', () => {
    const { values } = solve([equation('constructor', '1'), equation('__proto__', 'constructor + 1')], {});
    expect(Object.entries(values)).toEqual([
      ['constructor', 1],
      ['__proto__', 2],
    ]);
  });
});
