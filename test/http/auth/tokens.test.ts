import { createSecretKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  bearer,
  bearerOf,
  callerOf,
  claims,
  clockAt,
  encoded,
  NOW,
  problemOf,
  seconds,
  secret,
  sign,
} from './support.js';

const ana = { did: 'did:example:ana', role: 'USER' };

describe('a valid token', () => {
  it('identifies the caller', async () => {
    const token = bearer({ ...claims, username: 'ana', permissions: ['POLICIES_POLICY_READ'], more: 1 });
    expect(await callerOf(token)).toEqual({ ...ana, username: 'ana', permissions: ['POLICIES_POLICY_READ'] });
  });

  it('may have did and expireAt in milliseconds instead of sub and exp', async () => {
    expect(await callerOf(bearer({ ...ana, expireAt: NOW + 1 }))).toEqual(ana);
  });

  it.each(['username', 'role', 'permissions'])('may have null as its %s, which counts as absent', async (claim) => {
    const caller = await callerOf(bearer({ ...claims, [claim]: null }));
    expect(caller.did).toBe(ana.did);
    expect(caller).not.toHaveProperty(claim);
  });

  it.each([
    ['an earlier moment', seconds - 3600],
    ['now', seconds],
  ])('may be valid from %s (nbf)', async (_, nbf) => {
    expect(await callerOf(bearer({ ...claims, nbf }))).toEqual(ana);
  });

  it.each(['bearer', 'BEARER', 'Bearer  '])('may follow the scheme spelled "%s"', async (scheme) => {
    expect(await callerOf(`${scheme} ${sign(claims)}`)).toEqual(ana);
  });

  it('may be 8192 characters long, and no longer', async () => {
    const padded = Array.from({ length: 120 }, (_, n) => sign({ ...claims, pad: 'x'.repeat(5950 + n) }));
    const longest = padded.find(({ length }) => length === 8192);
    const tooLong = padded.find(({ length }) => length > 8192);
    expect(await callerOf(`Bearer ${longest ?? ''}`)).toEqual(ana);
    expect(await problemOf(`Bearer ${tooLong ?? ''}`)).toBe('malformed');
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
    ['malformed', 'Bearer a.b.c'],
    ['malformed', `Bearer ${encoded(null)}.e30.x`],
    ['malformed', `Bearer ${encoded({ alg: 5 })}.e30.x`],
    ['malformed', `Bearer ${encoded({ alg: 'HS256', typ: 'JWT' })}.x.x`],
  ])('as %s if the header is %s', async (problem, header) => {
    expect(await problemOf(header)).toBe(problem);
  });

  it.each([
    ['expired', 'it expires now', { ...claims, exp: seconds }],
    ['expired', 'expireAt has passed, whatever exp says', { ...claims, expireAt: NOW }],
    ['expired', 'exp has passed, whatever expireAt says', { ...claims, exp: seconds - 1, expireAt: NOW + 1000 }],
    ['not-yet-valid', 'nbf is in the future', { ...claims, nbf: seconds + 1 }],
    ['claims', 'it has no expiry', { sub: 'did:example:ana' }],
    ['claims', 'it has no identity', { exp: seconds + 60 }],
    ['claims', 'it has two identities', { ...claims, did: 'did:example:eve' }],
    ['claims', 'its identity is empty', { ...claims, sub: '' }],
    ['claims', 'its permissions are a string', { ...claims, permissions: 'POLICIES_POLICY_READ' }],
  ])('as %s if %s', async (problem, _, payload) => {
    expect(await problemOf(bearer(payload))).toBe(problem);
  });

  it.each(['1', 'null', '"text"', '[]', 'not JSON'])('if its payload is %s instead of an object', async (payload) => {
    expect(await problemOf(bearerOf({ alg: 'HS256' }, payload))).toBe('claims');
  });

  it('if it was signed with another secret', async () => {
    expect(await problemOf(bearer(claims, createSecretKey(Buffer.alloc(32, 8))))).toBe('signature');
  });

  it('if its payload was changed', async () => {
    const [header, , signature] = sign(claims).split('.');
    const payload = encoded({ ...claims, role: 'STANDARD_REGISTRY' });
    expect(await problemOf(`Bearer ${header}.${payload}.${signature}`)).toBe('signature');
  });

  it('if its ES256 signature is wrong or has the wrong length', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const keys = [{ algorithm: 'ES256' as const, key: publicKey }];
    const token = bearer(claims, privateKey, { algorithm: 'ES256' });
    expect(await callerOf(token, { keys })).toEqual(ana);
    expect(await problemOf(`${token.slice(0, -6)}AAAAAA`, { keys })).toBe('signature');
    expect(await problemOf(token.slice(0, -6), { keys })).toBe('signature');
  });

  it('if it is not signed', async () => {
    expect(await problemOf(`Bearer ${encoded({ alg: 'none' })}.${encoded(claims)}.`)).toBe('algorithm');
    expect(await problemOf(`Bearer ${encoded({ alg: 'HS256' })}.${encoded(claims)}.`)).toBe('signature');
  });

  it.each([['exp'], null])('if its header demands an extension (crit: %j)', async (crit) => {
    expect(await problemOf(bearerOf({ alg: 'HS256', crit }, JSON.stringify(claims)))).toBe('malformed');
  });

  it('if its issuer or audience is wrong or missing', async () => {
    const rules = { secret, issuer: ['one', 'two'], audience: 'here' };
    const problem = (more: object): Promise<unknown> => problemOf(bearer({ ...claims, ...more }), rules);
    expect(await problem({ iss: 'three', aud: 'here' })).toBe('issuer');
    expect(await problem({ iss: ['two'], aud: 'here' })).toBe('issuer');
    expect(await problem({ aud: 'here' })).toBe('issuer');
    expect(await problem({ iss: 'two', aud: 'there' })).toBe('audience');
    expect(await problem({ iss: 'two', aud: [] })).toBe('audience');
    expect(await problem({ iss: 'two' })).toBe('audience');
    expect(await problem({ iss: 'two', aud: ['there', 'here'] })).toEqual(ana);
    expect(await problem({ iss: 'one', aud: 'here' })).toEqual(ana);
  });

  it('if its payload is null', async () => {
    expect(await problemOf(bearerOf({ alg: 'HS256', typ: 'JWT' }, 'null'))).toBeTypeOf('string');
  });

  it('for its signature first, so that its claims reveal nothing about the rules', async () => {
    const foreign = bearer({ iss: 'three', exp: 1 }, createSecretKey(Buffer.alloc(32, 8)));
    expect(await problemOf(foreign, { secret, issuer: 'one' })).toBe('signature');
  });
});

describe('the clock of the options decides, not that of the machine', () => {
  const year = 365 * 86_400;
  const machine = Math.floor(Date.now() / 1000);

  it('about expiry', async () => {
    const token = bearer({ ...claims, exp: machine - year });
    expect(await problemOf(token, { secret, clock: clockAt((machine - 2 * year) * 1000) })).toEqual(ana);
    expect(await problemOf(token, { secret, clock: clockAt(machine * 1000) })).toBe('expired');
  });

  it('about nbf', async () => {
    const token = bearer({ ...claims, nbf: machine + year, exp: machine + 3 * year });
    expect(await problemOf(token, { secret, clock: clockAt((machine + 2 * year) * 1000) })).toEqual(ana);
    expect(await problemOf(token, { secret, clock: clockAt(machine * 1000) })).toBe('not-yet-valid');
  });
});
