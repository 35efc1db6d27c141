import { describe, expect, it } from 'vitest';
import { RequestLimits, type LimitOptions } from './request-limits.js';

const ALICE = 'did:example:alice';
const BOB = 'did:example:bob';

function world(options: LimitOptions) {
  let now = 1_000_000;
  const clock = { now: () => now, advance: (ms: number) => (now += ms) };
  return { clock, limits: new RequestLimits(options, clock) };
}

describe('the rates of a caller', () => {
  it('admit what was saved up, then refuse until there is enough again, and say when that is', () => {
    const { clock, limits } = world({ callerRates: { requests: 0.5, burstSeconds: 6 } });
    for (let at = 0; at < 3; at += 1) limits.admit(ALICE);
    const refused = { code: 'RATE_LIMITED', status: 429, headers: { 'Retry-After': '2' } };
    expect(() => limits.admit(ALICE)).toThrow(expect.objectContaining(refused));
    clock.advance(1999);
    expect(() => limits.admit(ALICE)).toThrow(expect.objectContaining({ headers: { 'Retry-After': '1' } }));
    clock.advance(1);
    limits.admit(ALICE);
    expect(() => limits.admit(ALICE)).toThrow('0.5 requests per second');
  });

  it('are of each caller by itself', () => {
    const { limits } = world({ callerRates: { requests: 1, burstSeconds: 1 } });
    limits.admit(ALICE);
    limits.admit(BOB);
    expect(() => limits.admit(ALICE)).toThrow('1 requests');
  });

  it('let no more be saved up than the burst', () => {
    const { clock, limits } = world({ callerRates: { requests: 1, burstSeconds: 2 } });
    clock.advance(1_000_000);
    limits.admit(ALICE);
    limits.admit(ALICE);
    expect(() => limits.admit(ALICE)).toThrow('1 requests');
  });

  it('take a body that is larger than what is left, and let the caller wait for it afterwards', () => {
    const { clock, limits } = world({ callerRates: { bytes: 100, burstSeconds: 1 } });
    limits.admit(ALICE);
    limits.charge(ALICE, 1_100);
    expect(() => limits.admit(ALICE)).toThrow(expect.objectContaining({ headers: { 'Retry-After': '11' } }));
    clock.advance(10_000);
    expect(() => limits.admit(ALICE)).toThrow('100 bytes per second');
    clock.advance(10);
    limits.admit(ALICE);
  });

  it('are not there by default', () => {
    const { limits } = world({});
    for (let at = 0; at < 10_000; at += 1) limits.admit(ALICE);
    expect(limits.countsBytes).toBe(false);
  });
});

it('sends to a policy are refused beyond the limit, those to another policy are not, and one that ended makes room', () => {
  const { limits } = world({ sendsPerPolicy: 2 });
  limits.beginSend('one', ALICE);
  limits.beginSend('one', ALICE);
  const refused = { code: 'POLICY_BUSY', status: 503, headers: { 'Retry-After': '1' } };
  expect(() => limits.beginSend('one', ALICE)).toThrow(expect.objectContaining(refused));
  limits.beginSend('other', ALICE);
  limits.endSend('one', ALICE);
  limits.beginSend('one', ALICE);
  expect(() => limits.beginSend('one', ALICE)).toThrow('2 sends');
});

it('a caller who holds most of the sends to a policy leaves the last of them to others', () => {
  const { limits } = world({ sendsPerPolicy: 8 });
  for (let at = 0; at < 6; at += 1) limits.beginSend('one', ALICE);
  expect(() => limits.beginSend('one', ALICE)).toThrow('8 sends');
  limits.beginSend('one', BOB);
  limits.beginSend('one', BOB);
  expect(() => limits.beginSend('one', BOB)).toThrow('8 sends');
});
