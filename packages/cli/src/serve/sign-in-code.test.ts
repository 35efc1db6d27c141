import { describe, expect, it } from 'vitest';
import { signInCode } from './server.js';

const start = Date.parse('2026-03-14T09:00:00Z');

function world() {
  let now = start;
  const code = signInCode('a-secret-of-this-start', () => ['token'], { now: () => now });
  return { ...code, wait: (ms: number) => (now += ms) };
}

describe('A code to sign in with', () => {
  it('gives tokens once', () => {
    const { code, redeem } = world();
    expect(redeem(code)).toEqual(['token']);
    expect(redeem(code)).toBeNull();
  });

  it('stays good after a wrong one', () => {
    const { code, redeem } = world();
    expect([redeem(''), redeem(`${code}x`), redeem(code.slice(1)), redeem('é'.repeat(11))]).toEqual([
      null,
      null,
      null,
      null,
    ]);
    expect(redeem(code)).toEqual(['token']);
  });

  it('is none after a quarter of an hour', () => {
    const { code, redeem, wait } = world();
    wait(15 * 60_000);
    expect(redeem(code)).toBeNull();
  });
});
