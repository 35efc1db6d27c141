import { describe, expect, it } from 'vitest';
import { createPolicyRouter, createPolicyServer } from '../src/index.js';
import type { ServerOptions } from '../src/index.js';
import { secret } from './support.js';

/** Options are checked before the engine is ever touched. */
const engine = {} as never;
const auth = { secret };

describe('options that cannot be used', () => {
  it.each<[string, ServerOptions]>([
    ['auth', {}],
    ['authenticate', { auth, authenticate: () => Promise.resolve({ did: 'x' }) }],
    ['prefix', { auth, prefix: 'api' }],
    ['prefix', { auth, prefix: '/api/' }],
    ['prefix', { auth, prefix: '/:any' }],
    ['bodyLimit', { auth, bodyLimit: 0 }],
    ['policyFileLimit', { auth, policyFileLimit: Number.NaN }],
    ['requestTimeout', { auth, requestTimeout: 0 }],
    ['headersTimeout', { auth, headersTimeout: 61_000 }],
    ['closeTimeout', { auth, closeTimeout: -1 }],
  ])('are refused at construction, naming %s', (option, options) => {
    expect(() => createPolicyServer(engine, options)).toThrow(`The option ${option} cannot be used`);
  });

  it('do not include an empty prefix', () => {
    expect(createPolicyRouter(engine, { auth, prefix: '' }).prefix).toBe('');
  });
});
