/** The expressions that published policies are written with, and what they come to. */
import type { Json, JsonObject } from '@blockwork/core/block';
import { describe, expect, it } from 'vitest';
import { amount, formula, formulaProblem, solve } from './index.js';

describe('an expression of a published policy', () => {
  it.each<[string, JsonObject, string]>([
    ['1', {}, '1'],
    ['cumulativeCo2e*1000000000', { cumulativeCo2e: 0.000000123 }, '123'],
    ['field10 / 1000', { field10: '12345' }, '12.345'],
    ['field3 / 1000', { field3: 1 }, '0.001'],
    ['1 * creds', { creds: 7 }, '7'],
    ['field7', { field7: '12.4' }, '12.4'],
    ['field7/1000', { field7: 1000 }, '1'],
    ['co2e_gt_sc3_mb * 100', { co2e_gt_sc3_mb: 0.0018873 }, '0.18873'],
    ['CO2eqEmissions/1', { CO2eqEmissions: 0.4 }, '0.4'],
    ['CO2eqEmissionsReduction/1', { CO2eqEmissionsReduction: '0.4' }, '0.4'],
    ['sum(field52)', { field52: 794.4 }, '794.4'],
    ['sum(field52)', { field52: ['529.6', 264.8] }, '794.4'],
    ['field7*1000', { field7: 12.0005 }, '12000.5'],
    ['factor*field7', { factor: 2.5, field7: 12.4 }, '31'],
  ])('gives an amount: %s in %j', (expression, scope, expected) => {
    expect(amount(expression, scope)).toBe(expected);
  });

  it.each<[string, JsonObject, Json]>([
    ['sum(total) >= 1', { total: ['0.4', '0.4', '0.4'] }, true],
    ['sum(total) >= 1', { total: ['0.9'] }, false],
    ['true==true', {}, true],
    ['reviewer_approve == false', { reviewer_approve: false }, true],
  ])('gives a condition: %s in %j', (expression, scope, expected) => {
    expect(formula(expression, { comparison: 'strict' }).evaluate(scope)).toBe(expected);
  });

  it('sorts names without repeating them, by a function of its own, and counts from 1', () => {
    const scope = { field0: ['b', 'a', 'c', 'a'], field1: [1, 2, 3, 4] };
    expect(formula('sort(setDistinct(field0), c(a,b)=compareText(a,b))').evaluate(scope)).toEqual(['a', 'b', 'c']);
    const second = '(field0[1] == "b") * field1[1] + (field0[2] == "b") * field1[2]';
    expect(formula(second).evaluate(scope)).toBe(1);
    expect(formula('field1 * 2 + field1').evaluate(scope)).toEqual([3, 6, 9, 12]);
  });

  it('is no problem to its author, a name that does not exist included', () => {
    expect(formulaProblem('option.status2 == APPROVED')).toBeNull();
  });

  it('works through a whole report of a forest', () => {
    const equations = [
      ['E49', 'E41-E45'],
      ['E50', 'E42-E46'],
      ['E51', 'E43-E47'],
      ['E52', 'E44-E48'],
      ['E53', '((E49+E51)*E38)+((E50+E52)*0.1)*E38'],
      ['E59', 'E53+E56'],
      ['E87', 'E84-E59'],
      ['E98', '(E59-E87)*(E97/100)'],
      ['E104', 'E101-E98'],
    ].map(([variable = '', text = '']) => ({ variable, formula: text }));
    const subject = {
      E38: 10,
      E41: '30',
      E42: 8,
      E43: 5,
      E44: 2,
      E45: 10,
      E46: 3,
      E47: 1,
      E48: 1,
      E56: 4,
      E84: 6,
      E97: 10,
      E101: 600,
    };
    const { values, failures } = solve(equations, subject);
    expect(failures).toEqual([]);
    expect(values).toEqual({ E49: 20, E50: 5, E51: 4, E52: 1, E53: 246, E59: 250, E87: -244, E98: 49.4, E104: 550.6 });
  });
});
