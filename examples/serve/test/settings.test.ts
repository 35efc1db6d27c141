/** Settings: defaults that work, and messages that name the variable. */
import { describe, expect, test } from 'vitest';
import { readSettings } from '../src/settings.js';

test('everything has a default', () => {
  expect(readSettings({})).toMatchObject({ port: 3000, host: '127.0.0.1', owner: 'did:example:registry', log: 'info' });
  expect(readSettings({}).secret).toBeUndefined();
});

test('set to nothing is not set', () => {
  expect(readSettings({ BLOCKWORK_PORT: '', BLOCKWORK_JWT_SECRET: '' })).toMatchObject({
    port: 3000,
    secret: undefined,
  });
});

test('folders are made absolute', () => {
  expect(readSettings({ BLOCKWORK_DATA: 'somewhere' }).data).toBe(`${process.cwd()}/somewhere`);
});

describe('refused, with the name of the variable', () => {
  test.each([
    ['BLOCKWORK_PORT', '65536'],
    ['BLOCKWORK_PORT', '-1'],
    ['BLOCKWORK_PORT', '80a'],
    ['BLOCKWORK_JWT_SECRET', 'x'.repeat(31)],
    ['BLOCKWORK_OWNER', 'x'.repeat(501)],
    ['BLOCKWORK_LOG', 'verbose'],
  ])('%s=%s', (variable, value) => {
    expect(() => readSettings({ [variable]: value })).toThrow(variable);
  });
});

test('all that is wrong is told at once', () => {
  expect(() => readSettings({ BLOCKWORK_PORT: 'x', BLOCKWORK_LOG: 'x' })).toThrow(/BLOCKWORK_PORT[^]*BLOCKWORK_LOG/);
});
