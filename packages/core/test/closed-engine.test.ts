/** Every method of the engine, for callers and for the program, says and does what happens after `close`. */
import { createEngine, type Caller, type PolicyEngine } from '@blockwork/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const caller: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const ask = { to: 'north', policyId: 'p', action: { type: 'send-data', tag: 'a', user: caller, data: 1 } };
const fitting = (member: string): unknown[] => (member === 'requests.ask' ? [caller, ask] : [caller, 'p', 'a', {}]);

let engine: PolicyEngine;
beforeAll(async () => {
  engine = createEngine();
  await engine.close();
});
afterAll(() => engine.close());

const surfaces: Record<string, (of: PolicyEngine) => object> = {
  '': (of) => of,
  'lifecycle.': (of) => of.lifecycle,
  'explanations.': (of) => of.explanations,
  'journal.': (of) => of.journal,
  'documents.': (of) => of.documents,
  'tokens.': (of) => of.tokens,
  'timers.': (of) => of.timers,
  'pendingWork.': (of) => of.pendingWork,
  'operation.': (of) => of.operation,
  'schemas.': (of) => of.schemas,
  'tools.': (of) => of.tools,
  'requests.': (of) => of.requests,
  'program.': (of) => of.program,
  'program.documents.': (of) => of.program.documents,
  'program.ledger.': (of) => of.program.ledger,
  'program.requests.': (of) => of.program.requests,
  'program.schedule.': (of) => of.program.schedule,
};

const open = createEngine();
afterAll(() => open.close());

interface Member {
  readonly name: string;
  readonly member: string;
  readonly surface: (of: PolicyEngine) => object;
  readonly isGetter: boolean;
}

/** What still answers. */
const exempt = new Set(['constructor', 'isOpen', 'close']);

const members: Member[] = Object.entries(surfaces).flatMap(([prefix, surface]) => {
  const descriptors = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(surface(open)) as object);
  return Object.entries(descriptors)
    .filter(([member]) => !exempt.has(member))
    .map(([member, descriptor]) => ({ name: prefix + member, member, surface, isGetter: 'get' in descriptor }));
});

describe('after close', () => {
  it.each(members)('$name throws ENGINE_CLOSED', async ({ name, member, surface, isGetter }) => {
    const target = surface(engine) as Record<string, (...input: unknown[]) => unknown>;
    const call = async (): Promise<unknown> => (isGetter ? target[member] : target[member]?.(...fitting(name)));
    await expect(call()).rejects.toMatchObject({ code: 'ENGINE_CLOSED' });
  });

  it('isOpen is false, and close may be called again', async () => {
    expect(engine.isOpen).toBe(false);
    await engine.close();
  });
});
