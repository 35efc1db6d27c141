/** Programs without a compiler give anything: what is wrong with it is an error of the table, never a bare TypeError. */
import { BlockworkError, createEngine, permissions, silentLogger, type PolicyEngine } from '@blockwork/core';
import { defineBlock } from '@blockwork/core/block';
import { block } from '@blockwork/testing';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

const caller = { did: 'did:example:owner', permissions };
const config = block('interfaceContainerBlock', 'root', { permissions: ['ANY_ROLE'] });

type Method = (...args: unknown[]) => unknown;

let engine: PolicyEngine;
beforeAll(async () => {
  engine = createEngine();
  await engine.importPolicy(caller, { id: 'p', name: 'p', config });
});
afterAll(() => engine.close());

/** What belongs to the program itself takes no caller. */
const desks = [
  'requests',
  'notifications',
  'webhooks',
  'identities',
  'revokedTokens',
  'lifecycle',
  'trials',
  'explanations',
  'pendingWork',
  'nodes',
  'operation',
  'journal',
  'documents',
  'tokens',
  'timers',
  'schemas',
  'tools',
] as const satisfies readonly (keyof PolicyEngine)[];

/** Methods by name; none of them ends the engine, or takes its policy away. */
function methods(): [name: string, call: Method][] {
  const holders = [['engine', engine] as const, ...desks.map((desk) => [desk, engine[desk]] as const)];
  return holders.flatMap(([holder, object]) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(object))
      .filter((name) => !['constructor', 'close', 'isOpen', 'program', 'delete'].includes(name))
      .map((name): [string, Method] => [
        `${holder}.${name}`,
        (...args) => (Reflect.get(object, name) as Method).apply(object, args),
      ]),
  );
}

/** What one call ends with that is no error of the table. */
async function bareError(call: Method, args: readonly unknown[]): Promise<string | undefined> {
  try {
    const answer = await call(...args);
    if (typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer) {
      const events = answer as AsyncGenerator;
      await events.next();
      await events.return(undefined);
    }
    return undefined;
  } catch (error) {
    return error instanceof BlockworkError && error.code !== 'INTERNAL' ? undefined : String(error);
  }
}

const wrong = [undefined, null, 7, 'x', true, [], {}, { did: undefined }, { did: 7 }];
const shown = (value: unknown): string => (value === undefined ? 'undefined' : JSON.stringify(value));

it('a caller of any other kind is not admitted', async () => {
  const bare: string[] = [];
  for (const [name, call] of methods()) {
    for (const value of wrong) {
      const error = await bareError(call, [value, 'p', { tag: 'root' }]);
      if (error !== undefined) bare.push(`${name}(${shown(value)}): ${error}`);
    }
  }
  expect(bare).toEqual([]);
});

it('what comes after the caller is refused by an error of the table', async () => {
  const bare: string[] = [];
  for (const [name, call] of methods()) {
    // Options are left out, or `undefined`: `null` in their place is not looked at here.
    for (const value of wrong.filter((each) => each !== null)) {
      const block = { tag: 'root' };
      const inEachPlace = [[value], ['p', value], ['p', block, value], ['p', block, {}, value]];
      for (const args of inEachPlace) {
        const error = await bareError(call, [caller, ...args]);
        if (error !== undefined) bare.push(`${name}(${args.map(shown).join(', ')}): ${error}`);
      }
    }
  }
  expect(bare).toEqual([]);
});

it('a block that fails with a code that there is not is told which there are', async () => {
  const typo = defineBlock({
    type: 'typo',
    title: 'Typo',
    description: '',
    kind: 'interface',
    read: (ctx) => (ctx.fail as unknown as (code: unknown) => never)(ctx.query['code'] ?? undefined),
  });
  const misspelt = createEngine({ blocks: [typo], logger: silentLogger });
  onTestFinished(() => misspelt.close());
  const stuck = block('typo', 'typo', { permissions: ['ANY_ROLE'] });
  await misspelt.importPolicy(caller, { id: 'q', name: 'q', config: stuck });
  const read = (code?: string) => misspelt.readBlock(caller, 'q', { tag: 'typo' }, code === undefined ? {} : { code });
  await expect(read('INPUT_INVALIDD')).rejects.toMatchObject({
    code: 'BLOCK_FAILED',
    facts: { policyId: 'q', tag: 'typo' },
    cause: { message: expect.stringContaining('(did you mean "INPUT_INVALID"?)') as string },
  });
  await expect(read('constructor')).rejects.toMatchObject({ code: 'BLOCK_FAILED' });
  await expect(read()).rejects.toMatchObject({
    cause: { message: expect.stringContaining('ctx.fail(undefined): there is no such code') as string },
  });
});

it.each([
  ['bigint', 10n],
  ['function', () => 1],
  ['symbol', Symbol('x')],
])('a document with a %s is refused, and told where that is', async (type, value) => {
  const argsWith = (member: string) =>
    [{ owner: caller.did, document: {}, [member]: { 'a/b': [1, value] } }] as never[];
  for (const member of ['document', 'extra']) {
    await expect(engine.program.documents.add('p', argsWith(member))).rejects.toMatchObject({
      code: 'DOCUMENT_INVALID',
      facts: { policyId: 'p', position: 0 },
    });
  }
  await expect(engine.program.documents.add('p', argsWith('extra'))).rejects.toThrow(
    `/extra/a~1b/1 must be JSON, which holds no ${type}`,
  );
  const imported = engine.importPolicy(caller, { name: 'with', config }, { documents: argsWith('extra') });
  await expect(imported).rejects.toMatchObject({ code: 'DOCUMENT_INVALID' });
});

it.each([
  ['a big number', 10n],
  ['a function', () => 1],
])('a policy with %s in it is not imported', async (_, value) => {
  const strange = { name: 'strange', config: { ...config, options: { value } } };
  await expect(engine.importPolicy(caller, strange)).rejects.toMatchObject({ code: 'POLICY_FILE_INVALID' });
});
