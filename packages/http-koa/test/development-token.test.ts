import { expect, it } from 'vitest';
import { signDevelopmentToken, TokenAuthenticator } from '../src/index.js';
import { clockAt, NOW, secret } from './support.js';

it('a development token is good for a day, with everything that the caller is', async () => {
  const clock = clockAt(NOW);
  const caller = { did: 'did:example:ana', username: 'ana', role: 'USER', permissions: ['POLICIES_POLICY_READ'] };
  const token = signDevelopmentToken(secret, caller, { issuer: 'here', audience: 'there', clock });
  const one = new TokenAuthenticator({ secret, issuer: 'here', audience: 'there', clock });
  expect(await one.authenticate(`Bearer ${token}`)).toEqual(caller);
  clock.time += 86_400_000;
  await expect(one.authenticate(`Bearer ${token}`)).rejects.toMatchObject({ problem: 'expired' });
});
