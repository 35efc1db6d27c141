import type { Caller } from '@blockwork/core';
import { signDevelopmentToken } from '@blockwork/http-koa';
import { permissions } from '@blockwork/contract';
import type { Route } from '@blockwork/contract';
import { createSecretKey } from 'node:crypto';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { definitionsOf } from './support/definitions.js';
import { expectAnswer } from './support/expect-answer.js';
import { goodRequests, knownDevices } from './support/good-requests.js';
import type { GoodRequest } from './support/good-requests.js';
import { policiesInEveryStatus, type PoliciesInEveryStatus } from './support/policies-in-every-status.js';
import { notified } from './support/notifications.js';
import { canceledChange, message, rejectedId } from './support/remote-request.js';
import { pathOf, routes } from './support/routes.js';
import { blockIds, id } from './support/trial-policy.js';
import { webhooksOf } from './support/webhooks.js';
import { openEqualWorlds } from './support/equal-worlds.js';
import type { EqualWorlds } from './support/equal-worlds.js';
import { bearer, owner, registrant, rules, secret, stranger } from './support/world.js';
import type { Payload } from './support/world.js';
import { casesAt } from '../support/repetitions.js';

let worlds: EqualWorlds;
let policies: PoliciesInEveryStatus;

beforeAll(async () => {
  worlds = await openEqualWorlds();
  policies = await worlds.all(({ engine }) => policiesInEveryStatus(engine));
  await worlds.all(async ({ engine, store, policyId }) => {
    await engine.program.requests.receive(message());
    await engine.program.requests.receive(message(rejectedId, 'unwanted'));
    await store.commit(canceledChange);
    for (const device of knownDevices) await engine.identities.register(owner, device);
    await store.commit(notified);
    await store.commit(definitionsOf(worlds.policyId));
    await store.commit(webhooksOf(policyId));
  });
});
afterAll(() => worlds.close());

const sign = (caller: Caller, options: object, key = secret): string =>
  `Bearer ${signDevelopmentToken(key, caller, { ...rules, ...options })}`;

/** Sends the good request with changes; a header that is `undefined` is left out. */
async function ask(
  [name, route]: (typeof routes)[number],
  change: { params?: Record<string, string>; headers?: Record<string, string | undefined>; body?: Payload } = {},
): Promise<Response> {
  const good: GoodRequest = goodRequests(worlds.policyId, policies)[name];
  const headers = Object.entries({ authorization: bearer(owner), 'content-type': good.type, ...change.headers });
  const body = change.body ?? good.body;
  return worlds.fetch(`/api/v1${pathOf(route, { ...good.params, ...change.params })}${good.query ?? ''}`, {
    method: route.method,
    headers: headers.filter((entry): entry is [string, string] => entry[1] !== undefined),
    ...(body === undefined ? {} : { body: body }),
  });
}

const allBut = ({ permission, orPermission }: Route): string[] =>
  permissions.filter((each) => each !== permission && each !== orPermission);

/** Those of `cases` that are tried at a route: each of them is at a third of the routes at least. */
const casesOf = <Case>(name: string, cases: readonly Case[]): Case[] =>
  casesAt(
    routes.findIndex(([each]) => each === name),
    cases,
  );

const takesParam = (name: string) => routes.filter(([, route]) => name in route.params);
const addressesBlock = routes.filter(([name]) => /^(read|sendTo)Block/.test(name));
/** Definitions of policies may be as large as files of policies. */
const isLarge = ({ body }: Route): boolean => body.kind === 'json' && body.large === true;
const takesBody = (kind: Route['body']['kind']) => routes.filter(([, route]) => route.body.kind === kind);

describe.each(routes)('%s', (name, route) => {
  const entry: (typeof routes)[number] = [name, route];

  it('answers a good request as the contract says', async () => {
    const success = Number(Object.keys(route.answers).find((status) => Number(status) < 300));
    await expectAnswer(name, await ask(entry), success);
    // What else is answered tells of messages that are on their way.
    await worlds.all(({ engine }) => engine.program.requests.idle());
  });

  it.each(
    casesOf<[string, string | undefined, string | null]>(name, [
      ['no token', undefined, null],
      ['another scheme', 'Basic YTpi', null],
      ['a broken token', 'Bearer abc', 'The token is malformed.'],
      [
        'a token of another secret',
        sign(owner, {}, createSecretKey(Buffer.alloc(32, 2))),
        'The signature of the token is not valid.',
      ],
      ['an expired token', sign(owner, { lifetime: -1 }), 'The token has expired.'],
      ['a token for another audience', sign(owner, { audience: 'there' }), 'The token is meant for another audience.'],
      ['a token of another issuer', sign(owner, { issuer: 'them' }), 'The token comes from another issuer.'],
    ]),
  )('refuses %s with 401 and a challenge', async (_, authorization, description) => {
    const response = await ask(entry, { headers: { authorization } });
    const challenge = response.headers.get('www-authenticate');
    const body = await expectAnswer(name, response, 401);
    expect(body).toMatchObject({ error: 'UNAUTHENTICATED' });
    if (description === null) expect(challenge).toBe('Bearer realm="blockwork"');
    else {
      expect(body).toMatchObject({ message: description });
      expect(challenge).toBe(`Bearer realm="blockwork", error="invalid_token", error_description="${description}"`);
    }
  });

  it.each(
    casesOf<[string, Caller]>(name, [
      ['with every permission but the right one', { did: 'did:example:x', permissions: allBut(route) }],
      ['without permissions', { did: 'did:example:x', permissions: [] }],
      ['with permissions that nobody knows', { did: 'did:example:x', permissions: ['POLICIES_POLICY_ANY', '*'] }],
      ['with a platform role that brings none', { did: 'did:example:x', role: '__proto__' }],
      ['without any role', { did: 'did:example:x' }],
    ]),
  )('refuses a caller %s with 403, before it looks at anything else', async (_, caller) => {
    const nonsense = Object.fromEntries(Object.keys(route.params).map((key) => [key, '\n']));
    const response = await ask(entry, { headers: { authorization: bearer(caller) }, params: nonsense });
    expect(response.headers.get('www-authenticate')).toContain('error="insufficient_scope"');
    expect(await expectAnswer(name, response, 403)).toMatchObject({ error: 'PERMISSION_DENIED' });
  });
});

describe.each(takesParam('policyId'))('%s', (...entry) => {
  it('answers 404 for a policy that is not here', async () => {
    const response = await ask(entry, { params: { policyId: '__proto__' } });
    expect(await expectAnswer(entry[0], response, 404)).toMatchObject({ error: 'POLICY_UNKNOWN' });
  });

  it.each(casesOf(entry[0], ['x'.repeat(201), 'a\u0000b', '\n']))(
    'answers 400 for a policy id that cannot be one',
    async (policyId) => {
      const response = await ask(entry, { params: { policyId } });
      expect(await expectAnswer(entry[0], response, 400)).toMatchObject({
        error: 'PARAMETER_INVALID',
        details: [{ path: 'policyId' }],
      });
    },
  );
});

describe.each(takesParam('uuid'))('%s', (...entry) => {
  it('answers 404 for a block of no policy, and of another policy', async () => {
    const { policy } = await worlds.all(({ engine }) =>
      engine.importPolicy(owner, { name: 'Other', config: { id: id(99), blockType: 'x' } }),
    );
    expect(await expectAnswer(entry[0], await ask(entry, { params: { uuid: id(98) } }), 404)).toMatchObject({
      error: 'BLOCK_UNKNOWN',
    });
    await expectAnswer(entry[0], await ask(entry, { params: { uuid: id(99) } }), 404);
    await expectAnswer(entry[0], await ask(entry, { params: { policyId: policy.id } }), 404);
  });

  it.each(['1', `${id(3)}0`, `{${id(3)}}`, id(3).replaceAll('-', ''), 'x'.repeat(36)])(
    'answers 400 for a uuid that cannot be one: %s',
    async (uuid) => {
      const response = await ask(entry, { params: { uuid } });
      expect(await expectAnswer(entry[0], response, 400)).toMatchObject({ details: [{ path: 'uuid' }] });
    },
  );
});

describe.each(takesParam('tag'))('%s', (...entry) => {
  it.each(['nowhere', '__proto__', 'constructor', 'echo/', 'ECHO'])('answers 404 for the tag %s', async (tag) => {
    const response = await ask(entry, { params: { tag } });
    expect(await expectAnswer(entry[0], response, 404)).toMatchObject({ error: 'BLOCK_UNKNOWN' });
  });

  it('answers 400 for a tag that cannot be one', async () => {
    await expectAnswer(entry[0], await ask(entry, { params: { tag: 'x'.repeat(501) } }), 400);
    await expectAnswer(entry[0], await ask(entry, { params: { tag: 'a\tb' } }), 400);
  });
});

describe.each(takesParam('key'))('%s', (...entry) => {
  it('answers 404 for a key that the caller has not registered', async () => {
    const { key = '' } = goodRequests(worlds.policyId, policies)[entry[0]].params;
    const others = { headers: { authorization: bearer(registrant) } };
    const status = entry[0] === 'rotateKey' ? 422 : 404;
    await expectAnswer(entry[0], await ask(entry, others), status);
    const response = await ask(entry, { params: { key: `${key}1` } });
    expect(await expectAnswer(entry[0], response, 404)).toMatchObject({ error: 'KEY_UNKNOWN' });
  });

  it.each(['key', 'z', 'z0', 'did:key:z6Mk', `z${'6'.repeat(100)}`])(
    'answers 400 for a key that cannot be one: %s',
    async (key) => {
      await expectAnswer(entry[0], await ask(entry, { params: { key } }), 400);
    },
  );
});

describe.each(takesParam('webhookId'))('%s', (...entry) => {
  it('answers 404 for a webhook of no policy, and of another policy', async () => {
    const response = await ask(entry, { params: { webhookId: '__proto__' } });
    expect(await expectAnswer(entry[0], response, 404)).toMatchObject({ error: 'WEBHOOK_UNKNOWN' });
    await expectAnswer(entry[0], await ask(entry, { params: { policyId: policies.published } }), 404);
  });

  it('answers 400 for a webhook id that cannot be one', async () => {
    await expectAnswer(entry[0], await ask(entry, { params: { webhookId: 'a\u0000b' } }), 400);
  });
});

describe.each(takesParam('messageId'))('%s', (...entry) => {
  it('answers 404 for a request that is not here', async () => {
    const response = await ask(entry, { params: { messageId: '1.000000001' } });
    expect(await expectAnswer(entry[0], response, 404)).toMatchObject({ error: 'REQUEST_UNKNOWN' });
  });

  it.each(['1', '1.', '.1', '1.2.3', '1,2', 'a.b', '1.-2', `${'1'.repeat(63)}.1`])(
    'answers 400 for a message id that cannot be one: %s',
    async (messageId) => {
      await expectAnswer(entry[0], await ask(entry, { params: { messageId } }), 400);
    },
  );
});

describe.each(takesParam('documentId'))('%s', (...entry) => {
  it.each(['nothing', '__proto__'])('answers 404 for a document that is not here: %s', async (documentId) => {
    const response = await ask(entry, { params: { documentId } });
    expect(await expectAnswer(entry[0], response, 404)).toMatchObject({ error: 'DOCUMENT_UNKNOWN' });
  });

  it.each(['x'.repeat(201), 'a\tb'])('answers 400 for a document id that cannot be one', async (documentId) => {
    await expectAnswer(entry[0], await ask(entry, { params: { documentId } }), 400);
  });
});

describe.each([
  ['tokenId', 'LEDGER_TOKEN_UNKNOWN'],
  ['iri', 'SCHEMA_UNKNOWN'],
  ['did', 'IDENTITY_UNKNOWN'],
  ['entryId', 'JOURNAL_ENTRY_UNKNOWN'],
])('every route with the parameter %s', (param, error) => {
  it.each(takesParam(param))('answers 404 for what is not here, and 400 for what cannot be: %s', async (...entry) => {
    const absent = param === 'entryId' ? '999999999999' : '__proto__';
    const response = await ask(entry, { params: { [param]: absent } });
    expect(await expectAnswer(entry[0], response, 404)).toMatchObject({ error });
    await expectAnswer(entry[0], await ask(entry, { params: { [param]: 'a\tb' } }), 400);
    await expectAnswer(entry[0], await ask(entry, { params: { [param]: 'x'.repeat(501) } }), 400);
  });
});

describe.each(addressesBlock)('%s', (...entry) => {
  const at = (tag: string, uuid: string) => ({ params: entry[0].endsWith('Tag') ? { tag } : { uuid } });

  it.each([
    ['without a role', stranger],
    ['with another role', registrant],
  ])('answers 403 to a caller %s', async (_, caller) => {
    const headers = { authorization: bearer(caller) };
    const response = await ask(entry, { ...at('verifier_only', blockIds.verifierOnly), headers });
    expect(await expectAnswer(entry[0], response, 403)).toMatchObject({ error: 'BLOCK_FORBIDDEN' });
  });

  it('answers 403 to a caller with a role, where only those without one may come', async () => {
    const headers = { authorization: bearer(registrant) };
    await expectAnswer(entry[0], await ask(entry, { ...at('without_role', blockIds.nobody), headers }), 403);
  });

  it('answers 409 for a block that is not active now', async () => {
    const response = await ask(entry, at('second_step', blockIds.waiting));
    expect(await expectAnswer(entry[0], response, 409)).toMatchObject({ error: 'BLOCK_NOT_ACTIVE' });
  });

  it('answers 409 for a block of a type that nobody knows', async () => {
    const response = await ask(entry, at('ghost', blockIds.ghost));
    expect(await expectAnswer(entry[0], response, 409)).toMatchObject({ error: 'BLOCK_TYPE_UNKNOWN' });
  });

  it('answers 405 for what the block cannot do, and says what it can', async () => {
    const reading = entry[0].startsWith('read');
    const other = reading ? at('sink', blockIds.sink) : at('verifier_only', blockIds.verifierOnly);
    const headers = { authorization: bearer({ did: 'did:example:verifier', role: 'USER' }) };
    const response = await ask(entry, { ...other, headers });
    expect(response.headers.get('allow')).toBe(reading ? 'POST' : 'GET');
    await expectAnswer(entry[0], response, 405);
    const neither = await ask(entry, at('machine', blockIds.machine));
    expect(neither.headers.get('allow')).toBe('');
    expect(await expectAnswer(entry[0], neither, 405)).toMatchObject({ error: 'BLOCK_NEITHER' });
  });

  it('tells a failure inside to the log only', async () => {
    const response = await ask(entry, at('failing', blockIds.failing));
    const reading = entry[0].startsWith('read');
    const body = await expectAnswer(entry[0], response, reading ? 500 : 503);
    expect(JSON.stringify(body)).not.toContain('SECRET');
    expect(response.headers.get('retry-after')).toBe(reading ? null : '1');
    const { log } = worlds.koa;
    const line = log.find(({ fields }) => fields['requestId'] === response.headers.get('x-request-id'));
    expect(line?.level).toBe(reading ? 'error' : 'warn');
    // A block's own failure is the cause of the one that names the block.
    expect(inspect(line?.fields['error'])).toContain('SECRET');
  });
});

describe.each(takesBody('json'))('%s', (...entry) => {
  const [, { body: expected }] = entry;
  /** What stands for a missing body where one may be missing. */
  const missing = expected.kind === 'json' && expected.optional === 'always' ? ['', 'null'] : [];
  const wrong = (...bodies: string[]): string[] => bodies.filter((body) => !missing.includes(body));

  it.each(casesOf(entry[0], wrong('', '{', '{"a":1}}', '{"a":01}', '\u0000', '{"a":1')))(
    'answers 400 for the malformed body %j',
    async (body) => {
      expect(await expectAnswer(entry[0], await ask(entry, { body }), 400)).toMatchObject({ error: 'BODY_MALFORMED' });
    },
  );

  it.each(casesOf(entry[0], wrong('[]', '"text"', '1', 'null', 'true')))(
    'answers 422 for the body %s, which is no object',
    async (body) => {
      expect(await expectAnswer(entry[0], await ask(entry, { body }), 422)).toMatchObject({ details: [{ path: '' }] });
    },
  );

  it.each(casesOf(entry[0], [undefined, 'text/plain', 'application/x-www-form-urlencoded', 'application/jsonx']))(
    'answers 415 for a body of the type %s',
    async (type) => {
      const body = new TextEncoder().encode('{}');
      expect(
        await expectAnswer(entry[0], await ask(entry, { headers: { 'content-type': type }, body }), 415),
      ).toMatchObject({
        error: 'CONTENT_TYPE_UNSUPPORTED',
      });
    },
  );

  it.runIf(!isLarge(entry[1]))('answers 413 for a body over 1 MiB', async () => {
    const body = JSON.stringify({ text: 'x'.repeat(1024 * 1024) });
    expect(await expectAnswer(entry[0], await ask(entry, { body }), 413)).toMatchObject({ error: 'BODY_TOO_LARGE' });
  });
});

/** A connection that is cut off for its size may use up an id of the server. */
const named = { 'x-request-id': 'walk' };

describe.each(takesBody('bytes'))('%s', (...entry) => {
  // Any text is a table of comma-separated values.
  const noFiles = entry[0] === 'checkRows' ? [] : ['not a zip'];
  it.each([...noFiles, 'PK\u0003\u0004broken'])('answers 422 for a file that is none: %j', async (body) => {
    expect(await expectAnswer(entry[0], await ask(entry, { headers: named, body }), 422)).toMatchObject({
      error: 'POLICY_FILE_INVALID',
    });
  });

  it('answers 400 for an empty body', async () => {
    await expectAnswer(entry[0], await ask(entry, { headers: named, body: '' }), 400);
  });

  it.each([undefined, 'text/plain', 'multipart/form-data; boundary=x'])(
    'answers 415 for a body of the type %s',
    async (type) => {
      const body = new Uint8Array([80, 75]);
      await expectAnswer(entry[0], await ask(entry, { headers: { ...named, 'content-type': type }, body }), 415);
    },
  );

  it('answers 413 for a body over 32 MiB', async () => {
    await expectAnswer(entry[0], await ask(entry, { headers: named, body: new Uint8Array(32 * 1024 * 1024 + 1) }), 413);
  });
});

describe.each(takesBody('json').filter(([, route]) => isLarge(route)))('%s', (...entry) => {
  it('answers 413 for a body over 32 MiB', async () => {
    const body = new Uint8Array(32 * 1024 * 1024 + 1);
    expect(await expectAnswer(entry[0], await ask(entry, { headers: named, body }), 413)).toMatchObject({
      error: 'BODY_TOO_LARGE',
    });
  });
});
