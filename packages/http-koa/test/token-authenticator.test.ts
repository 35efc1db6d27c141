import { createHmac, createSecretKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { AuthenticationError, TokenAuthenticator } from '../src/index.js';
import type { TokenOptions } from '../src/index.js';
import { claims, clockAt, NOW, seconds, secret, sign } from './support.js';

const authenticator = (options: TokenOptions = {}): TokenAuthenticator =>
  new TokenAuthenticator({ secret, clock: clockAt(NOW), ...options });

async function problemOf(header: string | undefined, options: TokenOptions = {}): Promise<string> {
  const error: unknown = await authenticator(options)
    .authenticate(header)
    .catch((reason: unknown) => reason);
  return error instanceof AuthenticationError ? error.problem : `not refused: ${JSON.stringify(error)}`;
}

const bearer = (payload: object): string => `Bearer ${sign(payload)}`;

describe('a good token', () => {
  it('gives the caller that it names', async () => {
    const token = bearer({ ...claims, username: 'ana', permissions: ['POLICIES_POLICY_READ'], more: 1 });
    expect(await authenticator().authenticate(token)).toEqual({
      did: 'did:example:ana',
      username: 'ana',
      role: 'USER',
      permissions: ['POLICIES_POLICY_READ'],
    });
  });

  it('may carry did and expireAt in milliseconds, as tokens of the reference do', async () => {
    const token = bearer({ did: 'did:example:ana', role: 'USER', expireAt: NOW + 1 });
    expect(await authenticator().authenticate(token)).toEqual({ did: 'did:example:ana', role: 'USER' });
  });

  it.each(['bearer', 'BEARER', 'Bearer  '])('is taken after the scheme written "%s"', async (scheme) => {
    expect(await authenticator().authenticate(`${scheme} ${sign(claims)}`)).toMatchObject({ did: 'did:example:ana' });
  });
});

describe('a token is refused', () => {
  it.each([
    ['missing', undefined],
    ['missing', ''],
    ['missing', 'Basic YTpi'],
    ['malformed', 'Bearer'],
    ['malformed', 'Bearer x'],
    ['malformed', `Bearer ${sign(claims)} ${sign(claims)}`],
    ['malformed', `Bearer ${'a'.repeat(8190)}.b.c`],
    ['malformed', 'Bearer a.b.c'],
    ['malformed', `Bearer ${Buffer.from('null').toString('base64url')}.e30.x`],
  ])('as %s when the header is %s', async (problem, header) => {
    expect(await problemOf(header)).toBe(problem);
  });

  it.each([
    ['expired', 'it expires now', { ...claims, exp: seconds }],
    ['expired', 'expireAt has passed, whatever exp says', { ...claims, expireAt: NOW }],
    ['expired', 'exp has passed, whatever expireAt says', { ...claims, exp: seconds - 1, expireAt: NOW + 1000 }],
    ['not-yet-valid', 'its time has not come', { ...claims, nbf: seconds + 1 }],
    ['claims', 'it does not say when it expires', { sub: 'did:example:ana' }],
    ['claims', 'it does not say whose it is', { exp: seconds + 60 }],
    ['claims', 'it names two identities', { ...claims, did: 'did:example:eve' }],
    ['claims', 'its identity is empty', { ...claims, sub: '' }],
    ['claims', 'its permissions are one text', { ...claims, permissions: 'POLICIES_POLICY_READ' }],
  ])('as %s when %s', async (problem, _, payload) => {
    expect(await problemOf(bearer(payload))).toBe(problem);
  });

  it('when its signature was made with another secret', async () => {
    const token = sign(claims, createSecretKey(Buffer.alloc(32, 8)));
    expect(await problemOf(`Bearer ${token}`)).toBe('signature');
  });

  it('when one character of its payload was changed', async () => {
    const [header, , signature] = sign(claims).split('.');
    const payload = Buffer.from(JSON.stringify({ ...claims, role: 'STANDARD_REGISTRY' })).toString('base64url');
    expect(await problemOf(`Bearer ${header}.${payload}.${signature}`)).toBe('signature');
  });

  it('when it is not signed at all', async () => {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    expect(await problemOf(`Bearer ${part({ alg: 'none' })}.${part(claims)}.`)).toBe('algorithm');
    expect(await problemOf(`Bearer ${part({ alg: 'HS256' })}.${part(claims)}.`)).toBe('signature');
  });

  it('when its header demands an extension', async () => {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const signed = `${part({ alg: 'HS256', crit: ['exp'] })}.${part(claims)}`;
    const signature = createHmac('sha256', secret).update(signed).digest('base64url');
    expect(await problemOf(`Bearer ${signed}.${signature}`)).toBe('malformed');
  });

  it('when issuer or audience are others than expected, or missing', async () => {
    const rules = { issuer: ['one', 'two'], audience: 'here' };
    expect(await problemOf(bearer({ ...claims, iss: 'three', aud: 'here' }), rules)).toBe('issuer');
    expect(await problemOf(bearer({ ...claims, iss: 'two', aud: 'there' }), rules)).toBe('audience');
    expect(await problemOf(bearer({ ...claims, aud: 'here' }), rules)).toBe('issuer');
    expect(await problemOf(bearer({ ...claims, iss: 'two' }), rules)).toBe('audience');
    const good = bearer({ ...claims, iss: 'two', aud: ['there', 'here'] });
    expect(await authenticator(rules).authenticate(good)).toMatchObject({ did: 'did:example:ana' });
  });
});

describe('keys', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwks = {
    keys: [
      { ...rsa.publicKey.export({ format: 'jwk' }), kid: 'r', use: 'sig' },
      { ...ec.publicKey.export({ format: 'jwk' }), kid: 'e', alg: 'ES256' },
      { kty: 'OKP', crv: 'Ed25519', x: 'AAAA', kid: 'o' },
    ],
  };

  it('are chosen by kid from a JWK Set, each for its own algorithm', async () => {
    const all = new TokenAuthenticator({ jwks, clock: clockAt(NOW) });
    const rs = sign(claims, rsa.privateKey, { algorithm: 'RS256', keyid: 'r' });
    const es = sign(claims, ec.privateKey, { algorithm: 'ES256', keyid: 'e' });
    expect(await all.authenticate(`Bearer ${rs}`)).toMatchObject({ did: 'did:example:ana' });
    expect(await all.authenticate(`Bearer ${es}`)).toMatchObject({ did: 'did:example:ana' });
  });

  it('do not verify another algorithm than their own', async () => {
    const options = { secret: undefined as never, jwks };
    const other = sign(claims, rsa.privateKey, { algorithm: 'RS512', keyid: 'r' });
    expect(await problemOf(`Bearer ${other}`, options)).toBe('algorithm');
    const confused = sign(claims, createSecretKey(rsa.publicKey.export({ type: 'spki', format: 'pem' }) as never), {
      keyid: 'r',
    });
    expect(await problemOf(`Bearer ${confused}`, options)).toBe('algorithm');
  });

  it('that nobody knows are refused, and so is a token that could mean several', async () => {
    const options = { secret: undefined as never, jwks };
    expect(await problemOf(`Bearer ${sign(claims, secret, { keyid: 'x' })}`, options)).toBe('key');
    const twins = [
      { algorithm: 'HS256' as const, key: secret, kid: 'a' },
      { algorithm: 'HS256' as const, key: createSecretKey(Buffer.alloc(32, 9)), kid: 'b' },
    ];
    expect(await problemOf(bearer(claims), { secret: undefined as never, keys: twins })).toBe('key');
  });

  it.each([
    ['auth.secret', { secret: Buffer.alloc(31) }],
    ['auth.secret', { secret: 'a long enough text, but still a text' as never }],
    ['auth', {}],
    ['auth.keys', { keys: [{ algorithm: 'RS256' as const, key: ec.publicKey }] }],
    ['auth.keys', { keys: [{ algorithm: 'RS256' as const, key: rsa.privateKey }] }],
    ['auth.keys', { keys: [{ algorithm: 'ES256' as const, key: rsa.publicKey }] }],
    ['auth.keys', { keys: [{ algorithm: 'HS512' as never, key: secret }] }],
    ['auth', { keys: [{ algorithm: 'HS256' as const, key: rsa.publicKey }] }],
    ['auth.jwks', { jwks: { keys: [{ kty: 'oct', k: 'AAAA' }] } }],
    ['auth.jwks', { jwks: { keys: [rsa.privateKey.export({ format: 'jwk' })] } }],
    ['auth.issuer', { secret, issuer: [] }],
    ['auth.audience', { secret, audience: '' }],
    ['auth.cacheSize', { secret, cacheSize: -1 }],
  ])('that cannot be used are refused at once, naming %s', (option, options: TokenOptions) => {
    expect(() => new TokenAuthenticator(options)).toThrow(`The option ${option} cannot be used`);
  });
});

describe('the memory of verified tokens', () => {
  it('saves the verification of a token that was seen before', async () => {
    const one = authenticator();
    const token = bearer(claims);
    const first = await one.authenticate(token);
    expect(await one.authenticate(token)).toBe(first);
  });

  it('never outlives the token', async () => {
    const clock = clockAt(NOW);
    const one = authenticator({ clock });
    const token = bearer(claims);
    await one.authenticate(token);
    clock.time = NOW + 59_999;
    expect(await one.authenticate(token)).toMatchObject({ did: 'did:example:ana' });
    clock.time = NOW + 60_000;
    await expect(one.authenticate(token)).rejects.toMatchObject({ problem: 'expired' });
    await expect(one.authenticate(token)).rejects.toMatchObject({ problem: 'expired' });
  });

  it('is emptied when the keys are replaced, also for a verification under way', async () => {
    const one = authenticator();
    const token = bearer(claims);
    await one.authenticate(token);
    const underWay = one.authenticate(bearer({ ...claims, username: 'ana' }));
    one.replaceKeys({ secret: Buffer.alloc(32, 9) });
    await underWay;
    await expect(one.authenticate(token)).rejects.toMatchObject({ problem: 'signature' });
    await expect(one.authenticate(bearer({ ...claims, username: 'ana' }))).rejects.toMatchObject({
      problem: 'signature',
    });
  });

  it('keeps the old keys when the new ones cannot be used', async () => {
    const one = authenticator();
    expect(() => one.replaceKeys({ secret: Buffer.alloc(8) })).toThrow('auth.secret');
    expect(await one.authenticate(bearer(claims))).toMatchObject({ did: 'did:example:ana' });
  });

  it('is bounded, and gives up the token that was longest unused', async () => {
    const one = authenticator({ cacheSize: 2 });
    const [a, b, c] = ['a', 'b', 'c'].map((username) => bearer({ ...claims, username }));
    const first = await one.authenticate(a);
    await one.authenticate(b);
    await one.authenticate(c);
    const again = await one.authenticate(a);
    expect(again).toEqual(first);
    expect(again).not.toBe(first);
  });
});
