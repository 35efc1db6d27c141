/** Generated requests, valid and not: none is answered with a failure or with a status that the contract does not have. */
import { contract } from '@blockwork/contract';
import type { Caller } from '@blockwork/core';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fitting, oddities, type JsonSchema } from './support/attack/fitting.js';
import { definitionsOf, schemaIri, tokenId } from './support/definitions.js';
import { openEqualWorlds, type EqualWorlds } from './support/equal-worlds.js';
import { notified, readId } from './support/notifications.js';
import { policyArchive } from './support/policy-archive.js';
import { policiesInEveryStatus, type PoliciesInEveryStatus } from './support/policies-in-every-status.js';
import { message, requestId } from './support/remote-request.js';
import { pathOf, routes } from './support/routes.js';
import { blockIds } from './support/trial-policy.js';
import { bearer, owner, registrant, stranger } from './support/world.js';
import { times } from '../support/repetitions.js';

let worlds: EqualWorlds;
let policies: PoliciesInEveryStatus;

beforeAll(async () => {
  worlds = await openEqualWorlds();
  policies = await worlds.all(({ engine }) => policiesInEveryStatus(engine));
  await worlds.all(async ({ engine, store }) => {
    await engine.program.requests.receive(message());
    await store.commit(notified);
    await store.commit(definitionsOf(worlds.policyId));
  });
});
afterAll(() => worlds.close());

const callers: readonly Caller[] = [
  owner,
  owner,
  registrant,
  stranger,
  { did: 'did:example:auditor', role: 'AUDITOR' },
  { did: 'did:example:nobody', permissions: [] },
];

/** Blocks that neither fail on purpose nor wait. */
const { failing: _failing, slow: _slow, ...answering } = blockIds;
/** Values that exist, and any others. */
function valuesOf(name: string): fc.Arbitrary<string> {
  const parameters: Record<string, readonly string[]> = {
    policyId: [worlds.policyId, worlds.policyId, ...Object.values(policies)],
    uuid: Object.values(answering),
    tag: ['echo', 'grid', 'paging', 'choose_role', 'outside', 'clock', 'second_step'],
    documentId: ['doc-3', 'doc-22'],
    messageId: [requestId],
    notificationId: [readId],
    tokenId: [tokenId],
    iri: [schemaIri],
    did: [owner.did],
    entryId: ['000000000002'],
  };
  const some = parameters[name] ?? [];
  const others = fc
    .oneof(fc.string({ maxLength: 30, unit: 'grapheme' }), fc.constantFrom(...oddities))
    .filter((text) => text !== '' && !/^\.+$/.test(text));
  return some.length === 0
    ? others
    : fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...some) }, { weight: 1, arbitrary: others });
}

const jsonSchemaOf = (schema: z.ZodType): JsonSchema => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });

interface Asked {
  readonly path: string;
  readonly caller: Caller;
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
}

function requestsOf([, route]: (typeof routes)[number]): fc.Arbitrary<Asked> {
  const params = fc.record(Object.fromEntries(Object.keys(route.params).map((name) => [name, valuesOf(name)])));
  const anyQuery = fc.dictionary(fc.string({ minLength: 1, maxLength: 10 }), fc.string({ maxLength: 10 }), {
    maxKeys: 2,
  });
  const query = route.query.kind === 'none' ? anyQuery : fc.oneof(fitting(jsonSchemaOf(route.query.schema)), anyQuery);
  return fc.record({
    path: fc.tuple(params, query).map(([values, queryValues]) => `${pathOf(route, values)}${queryText(queryValues)}`),
    caller: fc.constantFrom(...callers),
    body: bodiesOf(route.body),
  });
}

function bodiesOf(body: (typeof routes)[number][1]['body']): fc.Arbitrary<Asked['body']> {
  if (body.kind === 'none') return fc.constant(undefined);
  if (body.kind === 'bytes') {
    return fc.oneof(
      fc.constant(new Uint8Array(policyArchive())),
      fc.uint8Array({ maxLength: 50 }).map((bytes) => new Uint8Array(bytes)),
    );
  }
  const json = fc.oneof(fitting(jsonSchemaOf(body.schema)), fc.jsonValue({ maxDepth: 3 }));
  return fc.oneof(
    { weight: 6, arbitrary: json.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.string() },
  );
}

/** Waits are left out: nobody answers them here. */
function queryText(query: unknown): string {
  const entries = Object.entries(query as Record<string, unknown>).filter(([name]) => name !== 'timeout');
  const text = new URLSearchParams(entries.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

const typeOf = (body: Asked['body']): Record<string, string> =>
  body === undefined ? {} : { 'content-type': typeof body === 'string' ? 'application/json' : 'application/zip' };

/** Streams are left out, since they end only with their time. */
const answered = routes.filter(([name]) => name !== 'events' && name !== 'policyEvents');

const isJson = ({ headers }: Response): boolean => headers.get('content-type')?.includes('json') === true;

describe('generated requests, over every transport', () => {
  it('may send null where the body may be missing, as the document says', async () => {
    const response = await worlds.fetch(`/api/v1/policies/${policies.running}/trial/users`, {
      method: 'POST',
      headers: { authorization: bearer(owner), 'content-type': 'application/json' },
      body: 'null',
    });
    expect(response.status).toBe(201);
  });

  it.each(answered)('%s answers as the contract says', async (...entry) => {
    const [name, route] = entry;
    await fc.assert(
      fc.asyncProperty(requestsOf(entry), async ({ path, caller, body }) => {
        const response = await worlds.fetch(`/api/v1${path}`, {
          method: route.method,
          headers: { authorization: bearer(caller), ...typeOf(body) },
          ...(body === undefined ? {} : { body }),
        });
        const text = await response.text();
        expect(response.status, text).toBeLessThan(500);
        const { [response.status]: answer } = contract[name].answers as Record<number, { schema: z.ZodType }>;
        expect(answer, `${String(response.status)} is not documented: ${text}`).toBeDefined();
        if (!isJson(response)) return;
        expect(answer?.schema.safeParse(JSON.parse(text)).error).toBeUndefined();
      }),
      { numRuns: times(3, 8, 100) },
    );
  });
});
