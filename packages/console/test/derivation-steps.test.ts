/** The steps that lead to a variable. */
import { describe, expect, it } from 'vitest';
import { stepsTo, type Variable } from '../app/documents/derivation-steps.js';

const formula = (name: string, ...uses: string[]): Variable => ({ name, by: 'block', value: 1, formula: '', uses });
const variable = (name: string): Variable => ({ name, by: 'block', value: 1, from: { documentIds: [], path: name } });
const namesTo = (name: string, ...variables: Variable[]): string[] =>
  stepsTo(name, variables).map((each) => `${String(variables.indexOf(each))} ${each.name}`);

describe('the steps to a variable', () => {
  it('are those that it needs, in the order in which they are worked out', () => {
    const all = [
      variable('a'),
      variable('b'),
      formula('half', 'a'),
      formula('other', 'b'),
      formula('sum', 'half', 'a'),
    ];
    expect(namesTo('sum', ...all)).toEqual(['0 a', '2 half', '4 sum']);
  });

  it('go by what was there before, where a variable is replaced', () => {
    expect(namesTo('a', variable('a'), formula('a', 'a'), variable('b'))).toEqual(['0 a', '1 a']);
  });

  it('are found where formulas stand in any order', () => {
    expect(namesTo('total', formula('total', 'part'), formula('part', 'a'), variable('a'))).toEqual([
      '0 total',
      '1 part',
      '2 a',
    ]);
  });

  it('end where something is missing, and where a variable needs itself', () => {
    expect(namesTo('sum', formula('sum', 'lost'))).toEqual(['0 sum']);
    expect(namesTo('a', formula('a', 'b'), formula('b', 'a'))).toEqual(['0 a', '1 b']);
    expect(namesTo('nothing')).toEqual([]);
  });
});
