/** What the types of the public API promise; the compiler checks them with the tests. */
import { BlockworkError, createEngine, isBlockworkError, MemoryLedger, MemoryStore, serviceIds } from '@blockwork/core';
import type { Caller, EngineOptions, FactsOf, JsonAnswer, PolicyEngine, PolicyRecord } from '@blockwork/core';
import { afterAll, describe, expect, expectTypeOf, it } from 'vitest';

const engine = createEngine();
afterAll(() => engine.close());
const caller: Caller = { did: 'did:example:me' };
const block = { tag: 'grid' };

describe('an answer', () => {
  const read = () => engine.readBlock(caller, 'p', block);

  it('is reached into with ?. where its shape is not stated', () => {
    expectTypeOf(read).returns.resolves.toEqualTypeOf<JsonAnswer | null>();
    const owner = (page: Awaited<ReturnType<typeof read>>) => page?.data?.[0]?.owner;
    expectTypeOf(owner).returns.toEqualTypeOf<JsonAnswer | undefined>();
    // @ts-expect-error an answer may be null
    const careless = (page: Awaited<ReturnType<typeof read>>) => page.data;
    expect([owner(null), owner({}), owner({ data: {} })]).toEqual([undefined, undefined, undefined]);
    expect(() => careless(null)).toThrow(TypeError);
  });

  it('has the shape that its reader states', () => {
    interface Grid {
      readonly data: { readonly owner: string }[];
    }
    expectTypeOf(() => engine.readBlock<Grid>(caller, 'p', block)).returns.resolves.toEqualTypeOf<Grid>();
    expectTypeOf(() => engine.readRoot<Grid>(caller, 'p')).returns.resolves.toEqualTypeOf<Grid>();
    expectTypeOf(() => engine.sendToBlock<Grid>(caller, 'p', block, null)).returns.resolves.toEqualTypeOf<Grid>();
    const stated = async (): Promise<Grid> => engine.readBlock(caller, 'p', block);
    expectTypeOf(stated).returns.resolves.toEqualTypeOf<Grid>();
  });
});

describe('the surface for callers', () => {
  it('takes a caller, who has an identity', () => {
    expectTypeOf<Parameters<PolicyEngine['getPolicy']>>().toEqualTypeOf<[Caller, string]>();
    expectTypeOf<ReturnType<PolicyEngine['getPolicy']>>().resolves.toEqualTypeOf<PolicyRecord>();
    expectTypeOf<{ role: string }>().not.toExtend<Caller>();
  });

  it('names a block by its tag or its uuid', () => {
    type Block = Parameters<PolicyEngine['readBlock']>[2];
    expectTypeOf<{ tag: string }>().toExtend<Block>();
    expectTypeOf<Awaited<ReturnType<PolicyEngine['findBlock']>>>().toExtend<Block>();
    expectTypeOf<string>().not.toExtend<Block>();
  });
});

describe('the surface for the program', () => {
  it('takes no caller', () => {
    expectTypeOf<Parameters<PolicyEngine['program']['ledger']['getToken']>>().toEqualTypeOf<[string, string]>();
    expectTypeOf<Parameters<PolicyEngine['program']['requests']['getHost']>>().toEqualTypeOf<[string]>();
    expectTypeOf<Parameters<PolicyEngine['program']['schedule']['tick']>>().toEqualTypeOf<[string, string]>();
  });
});

describe('an error', () => {
  it('has the facts that its message states', () => {
    expectTypeOf<FactsOf<'BLOCK_UNKNOWN'>>().toEqualTypeOf<{
      readonly policyId: string | number;
      readonly block: string | number;
    }>();
    // The braces around `blocks` belong to the text.
    expectTypeOf<keyof FactsOf<'BLOCK_TYPE_UNKNOWN'>>().toEqualTypeOf<'policyId' | 'tag' | 'blockType'>();
  });

  it('is not made without them', () => {
    // @ts-expect-error the block is missing
    const incomplete = new BlockworkError('BLOCK_UNKNOWN', { facts: { policyId: 'p' } });
    // @ts-expect-error all facts are missing
    expect(new BlockworkError('POLICY_UNKNOWN').message).toBe('There is no policy "?".');
    expect([incomplete.facts, new BlockworkError('ENGINE_CLOSED').facts]).toEqual([{ policyId: 'p' }, {}]);
  });

  it('is known to have them once its code is known', () => {
    const policyOf = (error: unknown) => (isBlockworkError(error, 'POLICY_UNKNOWN') ? error.facts.policyId : undefined);
    expectTypeOf(policyOf).returns.toEqualTypeOf<string | number | undefined>();
    expect(policyOf(new BlockworkError('POLICY_UNKNOWN', { facts: { policyId: 'p' } }))).toBe('p');
    const codeOf = (error: unknown) => (isBlockworkError(error) ? error.code : undefined);
    expectTypeOf(codeOf).returns.toEqualTypeOf<BlockworkError['code'] | undefined>();
    expect(codeOf(new Error('other'))).toBeUndefined();
  });
});

describe('the services of an engine', () => {
  it('have identifiers with their types', async () => {
    const configure: EngineOptions['configure'] = (container) => {
      container.rebind(serviceIds.store).toConstantValue(new MemoryStore());
      container.rebind(serviceIds.externalLedger).toConstantValue(null);
      // @ts-expect-error a ledger is no store
      const careless = () => container.rebind(serviceIds.store).toConstantValue(new MemoryLedger());
      expect(careless).toBeTypeOf('function');
    };
    await createEngine({ configure }).close();
    expect.assertions(1);
  });
});

describe('the options of an engine', () => {
  it('are all optional, and no other names are taken', () => {
    expectTypeOf(createEngine).toBeCallableWith();
    expectTypeOf(createEngine).toBeCallableWith({});
    // @ts-expect-error a misspelled option
    expectTypeOf(createEngine).toBeCallableWith({ blokcs: [] });
  });
});
