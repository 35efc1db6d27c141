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

it('a development token names an issuer and an audience only if it is given them', async () => {
  const token = `Bearer ${signDevelopmentToken(secret, { did: 'did:example:ana' }, { clock: clockAt(NOW) })}`;
  expect(await callerOf(token)).toEqual({ did: 'did:example:ana' });
  expect(await problemOf(token, { secret, issuer: 'here' })).toBe('issuer');
  expect(await problemOf(token, { secret, audience: 'there' })).toBe('audience');
});

it('a development token needs a caller, and says which argument is wrong', () => {
  const sign =
    (...args: readonly unknown[]) =>
    () =>
      signDevelopmentToken(...(args as [typeof secret, { did: string }]));
  for (const [args, message] of [
    [[secret], 'The argument caller of signDevelopmentToken must be an object with a did, not undefined.'],
    [
      [secret, { did: 'did:example:ana' }, 'here'],
      'The argument options of signDevelopmentToken must be an object, not string.',
    ],
  ] as const)
    expect(sign(...args)).toThrow(expect.objectContaining({ code: 'INPUT_INVALID', message }));
});
