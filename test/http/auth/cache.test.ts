import { describe, expect, it } from 'vitest';
import type { Caller } from '@blockwork/core';
import type { TokenAuthenticator } from '@blockwork/http';
import { authenticator, bearer, claims, clockAt, NOW, secret, sign } from './support.js';

const ask = (one: TokenAuthenticator, header: string): Promise<Caller> => one.authenticate(header);

describe('the cache of verified tokens', () => {
  it('saves the second verification of a token', async () => {
    const one = authenticator();
    const token = bearer(claims);
    const first = await ask(one, token);
    expect(await ask(one, token)).toBe(first);
  });

  it.each([`bearer ${sign(claims)}`, `Bearer  ${sign(claims)}`, `BEARER   ${sign(claims)}`])(
    'keeps no header that is spelled unusually: %s',
    async (header) => {
      const one = authenticator();
      const first = await ask(one, header);
      const again = await ask(one, header);
      expect(again).toEqual(first);
      expect(again).not.toBe(first);
    },
  );

  it('of size 0 keeps nothing', async () => {
    const one = authenticator({ secret, cacheSize: 0 });
    const first = await ask(one, bearer(claims));
    const again = await ask(one, bearer(claims));
    expect(again).toEqual(first);
    expect(again).not.toBe(first);
  });

  it('keeps no token beyond its expiry', async () => {
    const clock = clockAt(NOW);
    const one = authenticator({ secret, clock });
    const token = bearer(claims);
    await ask(one, token);
    clock.time = NOW + 59_999;
    expect(await ask(one, token)).toMatchObject({ did: 'did:example:ana' });
    clock.time = NOW + 60_000;
    await expect(ask(one, token)).rejects.toMatchObject({ problem: 'expired' });
    await expect(ask(one, token)).rejects.toMatchObject({ problem: 'expired' });
  });

  it('is emptied when the keys are replaced, even during a verification', async () => {
    const one = authenticator();
    const token = bearer(claims);
    await ask(one, token);
    const underWay = ask(one, bearer({ ...claims, username: 'ana' }));
    one.replaceKeys({ secret: Buffer.alloc(32, 9) });
    await underWay;
    await expect(ask(one, token)).rejects.toMatchObject({ problem: 'signature' });
    await expect(ask(one, bearer({ ...claims, username: 'ana' }))).rejects.toMatchObject({ problem: 'signature' });
  });

  it('and the keys stay if the new keys cannot be used', async () => {
    const one = authenticator();
    const token = bearer(claims);
    const first = await ask(one, token);
    expect(() => one.replaceKeys({ secret: Buffer.alloc(8) })).toThrow('auth.secret');
    expect(await ask(one, token)).toBe(first);
  });

  it('is bounded and evicts the least recently used token', async () => {
    const one = authenticator({ secret, cacheSize: 2 });
    const [a = '', b = '', c = ''] = ['a', 'b', 'c'].map((username) => bearer({ ...claims, username }));
    const first = await ask(one, a);
    await ask(one, b);
    await ask(one, c);
    const again = await ask(one, a);
    expect(again).toEqual(first);
    expect(again).not.toBe(first);
  });
});
