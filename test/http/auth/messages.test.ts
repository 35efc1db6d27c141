/** What a client reads about a token that is refused. */
import { AuthenticationError, type TokenOptions } from '@blockwork/http';
import { createSecretKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { authenticator, bearer, bearerOf, claims, NOW, problemOf, seconds, secret } from './support.js';

const other = createSecretKey(Buffer.alloc(32, 9));

async function refusalOf(header: string | undefined, options?: TokenOptions): Promise<AuthenticationError> {
  const refusal: unknown = await authenticator(options)
    .authenticate(header)
    .catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(AuthenticationError);
  return refusal as AuthenticationError;
}

describe('the message of a refusal', () => {
  const { exp: _exp, ...unlimited } = claims;
  const { sub: _sub, ...nameless } = claims;
  it.each<[string, string | undefined, TokenOptions | undefined]>([
    ['The request has no token.', undefined, undefined],
    ['The request has no token.', '', undefined],
    ['The Authorization header contains no Bearer token.', 'Basic YTpi', undefined],
    ['The token is malformed.', 'Bearer', undefined],
    ['The token is malformed.', 'Bearer a b', undefined],
    ['The token is malformed.', bearerOf({ alg: 5 }, JSON.stringify(claims)), undefined],
    ['The token has expired.', bearer({ ...claims, exp: seconds }), undefined],
    ['The token is not valid yet.', bearer({ ...claims, nbf: seconds + 1 }), undefined],
    ['The token has no expiry (exp).', bearer(unlimited), undefined],
    ['The token names no identity (sub).', bearer(nameless), undefined],
    ['The token names two identities, one in sub and another in did.', bearer({ ...claims, did: 'did:b' }), undefined],
    [
      'The token has claims of the wrong type: role, permissions.',
      bearer({ ...claims, role: 5, permissions: [1, 2] }),
      undefined,
    ],
    ['The token is meant for another audience.', bearer(claims), { secret, audience: 'here' }],
    ['The token comes from another issuer.', bearer(claims), { secret, issuer: 'us' }],
    [
      'The token is signed with HS384, which is not the algorithm of its key.',
      bearer(claims, secret, { algorithm: 'HS384' }),
      undefined,
    ],
    [
      'The key that signed the token is unknown.',
      bearer(claims, secret, { keyid: 'third' }),
      {
        keys: [
          { algorithm: 'HS256', key: secret, kid: 'first' },
          { algorithm: 'HS256', key: other, kid: 'second' },
        ],
      },
    ],
  ])('is "%s"', async (message, header, options) => {
    expect((await refusalOf(header, options)).message).toBe(message);
  });

  it('comes with the cause where there is one, for the log', async () => {
    expect((await refusalOf(bearerOf({ alg: 5 }, '{}'))).cause).toBeDefined();
    expect('cause' in (await refusalOf(undefined))).toBe(false);
    expect((await refusalOf(undefined)).name).toBe('AuthenticationError');
  });
});

describe('a token with an expiry in milliseconds only', () => {
  const reference = (expireAt: number) => bearer({ did: 'did:example:ana', expireAt });

  it('is refused from that moment on', async () => {
    expect(await problemOf(reference(NOW))).toBe('expired');
    expect(await problemOf(reference(NOW - 1))).toBe('expired');
    expect(await problemOf(reference(NOW + 1))).toMatchObject({ did: 'did:example:ana' });
  });
});

it('an authenticator without a cache takes new keys, too', async () => {
  const tokens = authenticator({ secret, cacheSize: 0 });
  tokens.replaceKeys({ secret: other });
  await expect(tokens.authenticate(bearer(claims))).rejects.toThrow(AuthenticationError);
  expect(await tokens.authenticate(bearer(claims, other))).toMatchObject({ did: claims.sub });
});
