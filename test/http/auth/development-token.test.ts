import { expect, it } from 'vitest';
import { signDevelopmentToken } from '@blockwork/http';
import { callerOf, clockAt, NOW, problemOf, secret } from './support.js';

it('a development token carries the whole caller and is valid for a day', async () => {
  const clock = clockAt(NOW);
  const caller = { did: 'did:example:ana', username: 'ana', role: 'USER', permissions: ['POLICIES_POLICY_READ'] };
  const token = `Bearer ${signDevelopmentToken(secret, caller, { issuer: 'here', audience: 'there', clock })}`;
  const options = { secret, issuer: 'here', audience: 'there', clock };
  expect(await callerOf(token, options)).toEqual(caller);
  clock.time += 86_399_999;
  expect(await callerOf(token, options)).toEqual(caller);
  clock.time += 1;
  expect(await problemOf(token, options)).toBe('expired');
});
