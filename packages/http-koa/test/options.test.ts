import { createSecretKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createPolicyRouter, createPolicyServer, TokenAuthenticator } from '../src/index.js';
import type { ServerOptions, TokenOptions } from '../src/index.js';

const secret = createSecretKey(Buffer.alloc(32, 7));

/** Options are checked before the engine is used. */
const engine = {} as never;
const auth = { secret };
const authenticate = () => Promise.resolve({ did: 'x' });

const refusal = (option: string, reason: string): unknown =>
  expect.objectContaining({ code: 'OPTION_INVALID', facts: { option, reason: expect.stringContaining(reason) } });

describe('an option that cannot be used is refused at construction', () => {
  it.each<[string, string, ServerOptions]>([
    ['auth', 'is missing', {}],
    ['authenticate', 'replaces auth', { auth, authenticate }],
    ['prefix', 'begin with a slash', { auth, prefix: 'api' }],
    ['prefix', 'begin with a slash', { auth, prefix: '/api/' }],
    ['prefix', 'begin with a slash', { auth, prefix: '/:any' }],
    ['bodyLimit', 'above 0', { auth, bodyLimit: 0 }],
    ['policyFileLimit', 'whole number', { auth, policyFileLimit: Number.NaN }],
    ['requestTimeout', 'from 1 to', { auth, requestTimeout: 0 }],
    ['requestTimeout', 'to 2147483647', { auth, requestTimeout: 2_147_483_648 }],
    ['headersTimeout', 'exceed requestTimeout', { auth, headersTimeout: 61_000 }],
    ['closeTimeout', 'from 1 to', { auth, closeTimeout: -1 }],
    ['drainTime', 'from 0 to', { auth, drainTime: -1 }],
    ['bodiesLimit', 'at least 33554432', { auth, bodiesLimit: 1000 }],
    ['eventHeartbeat', 'from 1 to', { auth, eventHeartbeat: 0 }],
    ['cors.origins[0]', 'an origin', { auth, cors: { origins: ['app.example'] } }],
  ])('naming %s: it %s', (option, reason, options) => {
    expect(() => createPolicyServer(engine, options)).toThrow(refusal(option, reason));
  });

  it.each<[string, string, TokenOptions]>([
    ['auth.issuer', 'not be empty', { secret, issuer: [] }],
    ['auth.issuer', 'not be empty', { secret, issuer: '' }],
    ['auth.issuer[1]', 'not be empty', { secret, issuer: ['here', ''] }],
    ['auth.audience', 'not be empty', { secret, audience: '' }],
    ['auth.audience[0]', 'not be empty', { secret, audience: [''] }],
    ['auth.cacheSize', '0 or more', { secret, cacheSize: -1 }],
    ['auth.cacheSize', '0 or more', { secret, cacheSize: 1.5 }],
  ])('naming %s: it must be %s', (option, reason, options) => {
    expect(() => createPolicyServer(engine, { auth: options })).toThrow(refusal(option, reason));
    expect(() => new TokenAuthenticator(options)).toThrow(refusal(option, reason));
  });

  it.each([
    ...[
      'auth',
      'authenticate',
      'prefix',
      'bodyLimit',
      'policyFileLimit',
      'bodiesLimit',
      'accessLog',
      'etags',
      'eventHeartbeat',
      'cors',
      'docs',
      'approveWithoutBody',
      'realm',
      'logger',
      'ids',
    ],
    ...['requestTimeout', 'headersTimeout', 'keepAliveTimeout', 'closeTimeout', 'drainTime'],
  ])('naming %s, if it is null or of the wrong type', (option) => {
    for (const value of [null, Symbol('wrong type')]) {
      const options = { auth, [option]: value } as never;
      expect(() => createPolicyServer(engine, options)).toThrow(refusal(option, 'it must '));
    }
  });

  it.each(['secret', 'keys', 'jwks', 'issuer', 'audience', 'cacheSize', 'clock'])(
    'naming auth.%s, if it is null or of the wrong type',
    (option) => {
      for (const value of [null, Symbol('wrong type')]) {
        const options = { auth: { secret, [option]: value } } as never;
        expect(() => createPolicyServer(engine, options)).toThrow(refusal(`auth.${option}`, 'it must '));
      }
    },
  );

  it.each<[string, object]>([
    ['auth.jwks.keys', { auth: { jwks: {} } }],
    ['auth.jwks.keys[0]', { auth: { jwks: { keys: [null] } } }],
    ['auth.keys[0].kid', { auth: { keys: [{ algorithm: 'HS256', key: secret, kid: 5 }] } }],
    ['auth.keys[0].keyid', { auth: { keys: [{ algorithm: 'HS256', key: secret, keyid: 'a' }] } }],
    ['logger', { auth, logger: { error: () => undefined } }],
  ])('naming %s inside', (option, options) => {
    expect(() => createPolicyServer(engine, options as never)).toThrow(refusal(option, ''));
  });

  it.each([null, 5, 'secret', []])('and so are options that are no object: %j', (options) => {
    expect(() => createPolicyServer(engine, options as never)).toThrow(refusal('options', 'of type object'));
    expect(() => createPolicyRouter(engine, options as never)).toThrow(refusal('options', 'of type object'));
  });
});

describe('an unknown option is refused', () => {
  it.each<[string, string, object]>([
    ['bodylimit', 'no such option (did you mean "bodyLimit"?)', { auth, bodylimit: 5 }],
    ['headerTimeout', 'no such option (did you mean "headersTimeout"?)', { auth, headerTimeout: 5 }],
    ['perfix', 'no such option (did you mean "prefix"?)', { auth, perfix: '' }],
    ['auth.audiance', 'no such option (did you mean "audience"?)', { auth: { secret, audiance: 'here' } }],
  ])('with the name that was probably meant: %s', (option, reason, options) => {
    expect(() => createPolicyServer(engine, options as never)).toThrow(refusal(option, reason));
  });

  it('without a guess if no name is similar', () => {
    expect(() => createPolicyServer(engine, { auth, websocket: true } as never)).toThrow(
      'The option websocket cannot be used: there is no such option; there are auth, authenticate, prefix,',
    );
  });

  it('by the router, even if the server has it', () => {
    expect(() => createPolicyRouter(engine, { auth, closeTimeout: 5 } as never)).toThrow(
      refusal('closeTimeout', 'no such option'),
    );
  });

  it('when keys are replaced, so that nobody expects another option to change', () => {
    const one = new TokenAuthenticator({ secret, issuer: 'here' });
    expect(() => one.replaceKeys({ secret, issuer: 'there' } as never)).toThrow(
      refusal('auth.issuer', 'no such option'),
    );
  });
});

it('an option that is undefined has its default', () => {
  const router = createPolicyRouter(engine, {
    auth,
    prefix: undefined,
    logger: undefined,
    bodyLimit: undefined,
  } as never);
  expect(router.opts.prefix).toBe('/api/v1');
});

it('the prefix may be empty', () => {
  expect(createPolicyRouter(engine, { auth, prefix: '' }).opts.prefix).toBe('');
});

it.each<[string, object]>([
  ['port', { port: 65_536 }],
  ['port', { port: null }],
  ['host', { host: '' }],
  ['hostname', { hostname: 'localhost' }],
])('listen refuses the option %s in %j', async (option, options) => {
  const server = createPolicyServer(engine, { auth });
  await expect(server.listen(options)).rejects.toMatchObject({ code: 'OPTION_INVALID', facts: { option } });
});
