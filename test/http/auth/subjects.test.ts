/** Who a token names: a DID, or what the operator's template makes of `sub`. */
import type { TokenOptions } from '@blockwork/http';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { authenticator, bearer, callerOf, claims, problemOf, secret } from './support.js';

const issuer = 'https://idp.example.org';
const template = 'did:web:example.org:users:{sub}';
const mapped: TokenOptions = { secret, issuer, subject: template };

const reasonOf = async (sub: string, options?: TokenOptions): Promise<unknown> =>
  authenticator(options)
    .authenticate(bearer({ ...claims, iss: issuer, sub }))
    .catch((error: unknown) => (error as Error).message);

describe('without a template, sub', () => {
  it.each([
    'did:example:ana',
    'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK',
    'did:hedera:testnet:7Prd74ry1Uct87nZqL3ny7aR7Cg46JamVbJgk8azVgUm_0.0.12345',
    'did:web:example.org%3A8443:users:ana',
  ])('may be %s', async (sub) => {
    expect(await callerOf(bearer({ ...claims, sub }))).toMatchObject({ did: sub });
  });

  it.each([
    'not-a-did',
    'did:',
    'did:example',
    'did:example:',
    'did:Example:ana',
    'did:example:ana#key',
    'did:example:ana/path',
    'did:example:ana?x=1',
    'did:example:a na',
    'did:example:%zz',
    ' did:example:ana',
    'did:example:ana\n',
    `did:example:${'x'.repeat(489)}`,
    'https://idp.example.org/users/42',
    'mailto:ana@example.org',
  ])('must not be %j', async (sub) => {
    expect(await reasonOf(sub)).toMatch(/must be a DID|wrong type/);
  });

  it('and did, of older tokens, must be a DID, too', async () => {
    const { sub: _sub, ...nameless } = claims;
    expect(await problemOf(bearer({ ...nameless, did: 'ana' }))).toBe('claims');
  });
});

describe('with a template', () => {
  const didOf = async (sub: string, options = mapped): Promise<string> =>
    (await callerOf(bearer({ ...claims, iss: issuer, sub }), options)).did;

  it.each([
    ['auth0|5f7c', 'did:web:example.org:users:auth0%7C5f7c'],
    ['ana@example.org', 'did:web:example.org:users:ana%40example.org'],
    ['https://idp/users/42', 'did:web:example.org:users:https%3A%2F%2Fidp%2Fusers%2F42'],
    ['50% (é)', 'did:web:example.org:users:50%25%20%28%C3%A9%29'],
    ['a:b', 'did:web:example.org:users:a%3Ab'],
  ])('%j becomes %s', async (sub, did) => {
    expect(await didOf(sub)).toBe(did);
  });

  it('nobody gets the DID of another by having it as their sub', async () => {
    expect(await didOf('did:web:example.org:users:ana')).toBe(
      'did:web:example.org:users:did%3Aweb%3Aexample.org%3Ausers%3Aana',
    );
    expect(await didOf('ana%40example.org')).not.toBe(await didOf('ana@example.org'));
  });

  it('two accounts never get one DID', async () => {
    const options = { secret, subject: 'did:web:example.org:{iss}:{sub}' };
    const text = fc.string({
      minLength: 1,
      maxLength: 12,
      unit: fc.constantFrom('a', ':', '%', '3', 'A', '/', '.', '~', 'é'),
    });
    await fc.assert(
      fc.asyncProperty(text, text, text, text, async (iss, sub, otherIss, otherSub) => {
        fc.pre(iss !== otherIss || sub !== otherSub);
        const [one, other] = await Promise.all([
          problemOf(bearer({ ...claims, iss, sub }), options),
          problemOf(bearer({ ...claims, iss: otherIss, sub: otherSub }), options),
        ]);
        if (one !== 'claims' || other !== 'claims') expect(one).not.toEqual(other);
      }),
      { numRuns: 60 },
    );
  });

  it.each(['.', '..', '\ud800', 'x'.repeat(490)])('%j is refused: no DID can be made of it', async (sub) => {
    expect(await reasonOf(sub, mapped)).toBe('No DID can be derived from the identity in the token (sub).');
  });

  it('the claim did does not count for itself', async () => {
    const { sub: _sub, ...nameless } = claims;
    const did = 'did:web:example.org:users:ana';
    expect(await problemOf(bearer({ ...nameless, iss: issuer, did }), mapped)).toBe('claims');
    expect(await problemOf(bearer({ ...claims, iss: issuer, sub: 'bob', did }), mapped)).toBe('claims');
    expect(await problemOf(bearer({ ...claims, iss: issuer, sub: 'ana', did }), mapped)).toMatchObject({ did });
  });

  it('with {iss}, a token needs an issuer', async () => {
    const options = { secret, subject: 'did:web:example.org:{iss}:{sub}' };
    expect(await problemOf(bearer(claims), options)).toBe('claims');
    expect(await didOf('ana', options)).toBe('did:web:example.org:https%3A%2F%2Fidp.example.org:ana');
  });
});

it.each<[string, TokenOptions]>([
  ['must have {sub} once', { secret, issuer, subject: 'did:web:example.org' }],
  ['must have {sub} once', { secret, issuer, subject: 'did:web:example.org:{sub}:{sub}' }],
  ['must have {sub} once', { secret, issuer, subject: 'did:web:example.org:u-{sub}' }],
  ['must be a DID with {sub}', { secret, issuer, subject: 'https:{sub}' }],
  ['must be a DID with {sub}', { secret, issuer, subject: 'did:{sub}:x' }],
  ['must be a DID with {sub}', { secret, issuer, subject: '{sub}:web:x' }],
  ['must be a DID with {sub}', { secret, issuer, subject: 'did:web:exa mple.org:{sub}' }],
  ['names a key', { secret, issuer, subject: 'did:key:{sub}' }],
  ['for one issuer only', { secret, subject: template }],
  ['for one issuer only', { secret, issuer: ['a', 'b'], subject: template }],
])('a template is refused at the start if it %s', (reason, options) => {
  const message: unknown = expect.stringContaining(reason);
  expect(() => authenticator(options)).toThrow(expect.objectContaining({ code: 'OPTION_INVALID', message }));
});
