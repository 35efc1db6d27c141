/** What programs without a compiler give in place of an object is refused, by name, everywhere: the types say where objects go. */
import * as blocks from '@blockwork/blocks';
import * as client from '@blockwork/client';
import * as core from '@blockwork/core';
import * as explorer from '@blockwork/explorer';
import * as fetch from '@blockwork/http-fetch';
import * as koa from '@blockwork/http-koa';
import * as hedera from '@blockwork/ledger-hedera';
import * as nats from '@blockwork/link-nats';
import * as otel from '@blockwork/otel';
import * as sandbox from '@blockwork/sandbox';
import * as lowdb from '@blockwork/store-lowdb';
import * as postgres from '@blockwork/store-postgres';
import * as testing from '@blockwork/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Callable, Parameter } from './public-types.js';
import { types } from './types.js';

const packages = {
  blocks,
  core,
  explorer,
  'http-fetch': fetch,
  'http-koa': koa,
  'ledger-hedera': hedera,
  'link-nats': nats,
  otel,
  sandbox,
  'store-lowdb': lowdb,
  'store-postgres': postgres,
  testing,
};
const wrong = [null, 7, 'x', []];

const caller = { did: 'did:example:owner', permissions: core.permissions };
const config = testing.block('interfaceContainerBlock', 'root', { permissions: ['ANY_ROLE'] });
const policy = { id: 'p', name: 'p', config };

let engine: core.PolicyEngine;
beforeAll(async () => {
  engine = core.createEngine({ logger: core.silentLogger });
  await engine.importPolicy(caller, policy);
});
afterAll(() => engine.close());

type Method = (...args: unknown[]) => unknown;

/** What a call with this in the place of the parameter fails with; `undefined` if it does not fail. */
async function failureOf(call: Method, args: readonly unknown[]): Promise<unknown> {
  try {
    const result = await call(...args);
    if (isIterable(result)) await result.next();
    return undefined;
  } catch (error) {
    return error;
  }
}

const isIterable = (value: unknown): value is AsyncGenerator =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

/** Each object of each method, with the arguments before it. */
const placesOf = (
  callables: readonly Callable[],
  fitting: (parameter: Parameter) => unknown,
): { method: string; argument: string; before: unknown[] }[] =>
  callables.flatMap(({ name, parameters }) =>
    parameters.flatMap((parameter, at) =>
      parameter.isObject && !['Caller', 'BlockReference'].includes(parameter.type)
        ? [{ method: name, argument: parameter.name, before: parameters.slice(0, at).map(fitting) }]
        : [],
    ),
  );

const reached = (holder: object, path: string): Method => {
  const names = path.split('.');
  const last = names.pop() ?? '';
  const owner = names.reduce((each, name) => Reflect.get(each, name) as object, holder);
  return (...args) => (Reflect.get(owner, last) as Method).apply(owner, args);
};

describe('the engine', () => {
  const places = placesOf(types.methods('core', 'PolicyEngine'), ({ name, type, isObject }) => {
    if (type === 'Caller') return caller;
    if (type === 'BlockReference') return { tag: 'root' };
    return name === 'policyId' ? 'p' : isObject ? {} : 'x';
  });

  it('has options wherever it is reached', () => {
    const methods = places.map(({ method, argument }) => `${method} ${argument}`);
    expect(methods).toEqual(
      expect.arrayContaining([
        'importPolicy options',
        'readBlock query',
        'requests.ask request',
        'program.ledger.listEffects range',
      ]),
    );
  });

  it.each(places)('$method names itself and its $argument', async ({ method, argument, before }) => {
    for (const value of wrong) {
      const error = await failureOf(reached(engine, method), [...before, value]);
      expect(error, JSON.stringify(value)).toMatchObject({
        code: 'INPUT_INVALID',
        message: expect.stringContaining(`The argument ${argument} of ${method} must be an object`) as string,
      });
    }
  });
});

describe('what a package exports', () => {
  /** Arguments before the options. */
  const first: Readonly<Record<string, () => unknown[]>> = {
    readPolicy: () => [policy],
    formula: () => ['1'],
    createPolicyHandler: () => [engine],
    createPolicyRouter: () => [engine],
    createPolicyServer: () => [engine],
    serveMetrics: () => [engine],
    signDevelopmentToken: () => [new Uint8Array(32), caller],
    toRequest: () => [{ headers: {} }],
    startTelemetry: () => [engine],
    blockBench: () => [blocks.buttonBlock],
    policyBench: () => [policy],
    reopenedPolicyBench: () => ['p'],
    explorePolicy: () => [policy],
    openScenarioWorld: () => [policy],
    gridWith: () => [[]],
    packArchive: () => [new Map()],
    unpackArchive: () => [new Uint8Array()],
  };
  /** Their one argument is what another function has returned. */
  const takeWhatOthersMade = new Set(['writeTraceparent', 'describeFailures', 'hasDefects']);
  const places = Object.entries(packages).flatMap(([name, exported]) =>
    placesOf(types.functions(name), () => undefined)
      .filter(
        ({ method, argument }) =>
          /^(engine|settings|limits|\w*[oO]ptions|__.*)$/.test(argument) && !takeWhatOthersMade.has(method),
      )
      .map(({ method, argument, before }) => {
        const call = (exported as unknown as Readonly<Record<string, Method>>)[method];
        return { name, method, argument, call: call ?? (() => undefined), takes: before.length };
      }),
  );

  it('is looked at, with arguments before the options where there are any', () => {
    expect(places.map(({ method }) => method)).toEqual(
      expect.arrayContaining(['createEngine', 'openLowdbStore', 'createPolicyServer']),
    );
    expect(places.filter(({ method, takes }) => (first[method]?.().length ?? 0) < takes)).toEqual([]);
  });

  it.each(places)('$name: $method refuses what is no object for $argument', async ({ method, call, takes }) => {
    for (const value of wrong) {
      const error = await failureOf(call, [...(first[method]?.().slice(0, takes) ?? []), value]);
      expect(error, JSON.stringify(value)).toMatchObject({
        code: expect.stringMatching(/^(INPUT|OPTION)_INVALID$/) as string,
        message: expect.stringMatching(/^The (argument|option) .* (not (null|number|string|array))\.$/) as string,
      });
      // "it" would be whatever was called.
      expect((error as Error).message).not.toContain('The option options cannot be used: it');
    }
  });
});

describe('the client', () => {
  const answering = (): Promise<Response> => Promise.resolve(Response.json([]));
  const calls = client.createClient({ url: 'http://localhost', fetch: answering });
  const holders = {
    Client: calls,
    PolicyClient: calls.policy('p'),
    BlockClient: calls.policy('p').block('b'),
  };
  const places = (Object.keys(holders) as (keyof typeof holders)[]).flatMap((holder) =>
    placesOf(types.methods('client', holder), () => 'x').map((place) => ({ ...place, holder })),
  );

  it('has options wherever it is reached', () => {
    expect(places.map(({ holder, method }) => `${holder}.${method}`)).toEqual(
      expect.arrayContaining(['Client.events', 'PolicyClient.get', 'BlockClient.explain', 'BlockClient.send']),
    );
  });

  it.each(places)('$holder: $method takes what is no object for no $argument, or refuses it', async (place) => {
    for (const value of wrong) {
      const error = await failureOf(reached(holders[place.holder], place.method), [...place.before, value]);
      if (error === undefined) continue;
      expect(error).toMatchObject({ name: 'BlockworkApiError', error: expect.stringMatching(/^[A-Z_]+$/) as string });
    }
  });

  it('is not made of it', () => {
    for (const value of wrong) {
      expect(() => client.createClient(value as never)).toThrow(
        'The argument options of createClient must be an object',
      );
    }
  });

  it('refuses to call a route with it', async () => {
    for (const value of wrong) {
      const { routes } = calls as unknown as { routes: Readonly<Record<string, Method>> };
      const error = await failureOf((...args) => routes['listPolicies']?.(...args), [value]);
      expect(error).toMatchObject({
        error: 'INPUT_INVALID',
        message: expect.stringContaining('routes.listPolicies') as string,
      });
    }
  });
});
