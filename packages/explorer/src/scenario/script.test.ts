import { describe, expect, it } from 'vitest';
import { readScript } from './script.js';

const step = { n: 1, as: 'alice', method: 'GET', tag: 'grid' };

describe('reading a script', () => {
  it('a fault that no operation of the ledger has, and a wait without a duration, are told', () => {
    expect(() => readScript([{ ...step, method: 'FAULT', tag: 'grantKCY' }])).toThrow('grantKyc');
    expect(() => readScript([{ ...step, method: 'WAIT', body: 90 }])).toThrow('90s');
  });

  it('gives a step without expectations empty ones', () => {
    expect(readScript([step])).toEqual([{ ...step, expect: {} }]);
  });

  it.each([
    ['a member of a step', { ...step, expekt: {} }, 'expekt'],
    ['an expectation', { ...step, expect: { counts: 1 } }, 'counts'],
    ['a member of the world', { ...step, expect: { world: { vcs: {} } } }, 'vcs'],
    ['a member of what is minted', { ...step, expect: { world: { minted: [{ token: '0.0.1' }] } } }, 'token'],
    ['a way to save', { ...step, save: { a: { first: true } } }, 'save'],
    ['a method', { ...step, method: 'PUT' }, 'method'],
    ['a place of a step', { ...step, expect: { step: { alice: 'child' } } }, 'step'],
  ])('refuses %s that the format does not know', (_, wrong, named) => {
    expect(() => readScript([wrong])).toThrow(named);
  });

  it('wants a proof with external data, and only there', () => {
    expect(() => readScript([{ ...step, method: 'EXTERNAL' }])).toThrow('proof');
    expect(() => readScript([{ ...step, proof: 'valid' }])).toThrow('proof');
  });

  it('lets nobody read or send as the system', () => {
    expect(() => readScript([{ ...step, as: 'system' }])).toThrow('system');
  });

  it('refuses what is no list of steps', () => {
    expect(() => readScript({ steps: [step] })).toThrow('The scenario script is malformed');
    expect(() => readScript([])).toThrow('The scenario script is malformed');
  });
});
