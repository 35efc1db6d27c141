import type { Json, JsonObject } from '@blockwork/core/block';
import { blockBench, type BlockBench } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { aggregateDocumentBlock } from './aggregate-document.js';

const cumulative = {
  aggregateType: 'cumulative',
  expressions: [{ name: 'total', value: 'amount' }],
  condition: 'sum(total) >= 1',
};
const period = { aggregateType: 'period', timer: 'clock', expressions: [] };
const bench = (options: Readonly<Record<string, unknown>>): BlockBench =>
  blockBench(aggregateDocumentBlock(), { options });

let created = 0;
const reading = (amount: Json, owner = 'did:bench:a', more: JsonObject = {}): JsonObject => ({
  owner,
  hash: `hash-${String((created += 1))}`,
  document: { type: ['VerifiableCredential'], credentialSubject: [{ amount, ...more }] },
});

const released = ({ emitted }: BlockBench): unknown[] =>
  emitted
    .filter(({ output }) => output === 'RunEvent')
    .map(({ data, did }) => ({
      did,
      amounts: (data as { document: { credentialSubject: JsonObject[] } }[]).map(
        ({ document }) => document.credentialSubject[0]?.amount,
      ),
    }));

async function run(tested: BlockBench, ...documents: Json[]): Promise<void> {
  for (const document of documents) await tested.as('Worker').event('RunEvent', document);
}

describe('aggregateDocumentBlock, cumulative', () => {
  it('lets documents go together once the condition is met, in the name of their owner, and begins anew', async () => {
    const tested = bench(cumulative);
    await run(tested, reading(0.4), reading('0.4'));
    expect(tested.emitted).toEqual([]);
    await run(tested, reading(0.4), reading(0.9), reading(0.1));
    expect(released(tested)).toEqual([
      { did: 'did:bench:a', amounts: [0.4, '0.4', 0.4] },
      { did: 'did:bench:a', amounts: [0.9, 0.1] },
    ]);
    expect(tested.emitted.map(({ output }) => output)).toEqual([
      'RunEvent',
      'RefreshEvent',
      'RunEvent',
      'RefreshEvent',
    ]);
  });

  it('sums exactly: ten tenths are one', async () => {
    const tested = bench(cumulative);
    await run(
      tested,
      Array.from({ length: 10 }, () => reading(0.1)),
    );
    expect(released(tested)).toHaveLength(1);
  });

  it('counts for each owner, and each of the fields that group', async () => {
    const tested = bench({ ...cumulative, groupByFields: [{ fieldPath: 'document.credentialSubject.0.site' }] });
    await run(
      tested,
      reading(0.6, 'did:bench:a', { site: 1 }),
      reading(0.6, 'did:bench:b', { site: 1 }),
      reading(0.7, 'did:bench:a', { site: 2 }),
    );
    expect(tested.emitted).toEqual([]);
    await run(tested, reading(0.5, 'did:bench:a', { site: 2 }));
    expect(released(tested)).toEqual([{ did: 'did:bench:a', amounts: [0.7, 0.5] }]);
  });

  it('counts everybody together where users are not told apart', async () => {
    const tested = bench({ ...cumulative, disableUserGrouping: true });
    await run(tested, reading(0.6, 'did:bench:a'), reading(0.6, 'did:bench:b'));
    expect(released(tested)).toEqual([{ did: 'did:bench:owner', amounts: [0.6, 0.6] }]);
  });

  it('counts a credential once, however often it comes', async () => {
    const tested = bench(cumulative);
    const again = reading(0.6);
    await run(tested, again, again);
    expect(tested.emitted).toEqual([]);
  });

  it('waits while the condition cannot be worked out, and says so', async () => {
    const tested = bench(cumulative);
    await run(tested, reading('none'));
    expect(tested.emitted).toEqual([]);
    const { engine, policyId, owner } = await tested.open();
    const { items } = await engine.journal.list(owner, policyId);
    expect(items.at(-1)?.warnings[0]?.message).toMatch(/"none" is not a number/);
  });

  it('is not satisfied with anything but true', async () => {
    const tested = bench({ ...cumulative, condition: 'sum(total)' });
    await run(tested, reading(5));
    expect(tested.emitted).toEqual([]);
  });

  it('forgets documents that are taken back', async () => {
    const tested = bench(cumulative);
    const wrong = reading(0.6);
    await run(tested, wrong);
    await tested
      .as('Worker')
      .event('PopEvent', [wrong, { owner: 'x', document: { type: ['VerifiablePresentation'] } }]);
    await run(tested, reading(0.6));
    expect(tested.emitted).toEqual([]);
  });
});

describe('aggregateDocumentBlock, by period', () => {
  it('lets each user have their documents go when it is time', async () => {
    const tested = bench(period);
    await run(tested, [reading(1, 'did:bench:a'), reading(2, 'did:bench:b'), reading(3, 'did:bench:a')]);
    expect(tested.emitted).toEqual([]);
    await tested.as('OWNER').event('TimerEvent', ['did:bench:b', 'did:bench:a', 'did:bench:c']);
    expect(released(tested)).toEqual([
      { did: 'did:bench:a', amounts: [1, 3] },
      { did: 'did:bench:b', amounts: [2] },
    ]);
    await tested.as('OWNER').event('TimerEvent', ['did:bench:a']);
    expect(released(tested)).toHaveLength(2);
  });

  it('drops, and says so, what belongs to users whose time it is not', async () => {
    const tested = bench(period);
    await run(tested, reading(1, 'did:bench:a'), reading(2, 'did:bench:b'));
    await tested.as('OWNER').event('TimerEvent', ['did:bench:a']);
    await tested.as('OWNER').event('TimerEvent', ['did:bench:a', 'did:bench:b']);
    expect(released(tested)).toEqual([{ did: 'did:bench:a', amounts: [1] }]);
    const { engine, policyId, owner } = await tested.open();
    const { items } = await engine.journal.list(owner, policyId);
    expect(items.flatMap(({ warnings }) => warnings)).toMatchObject([
      { message: expect.stringMatching(/^1 documents/) as string },
    ]);
  });

  it('lets nothing go, where that is wanted', async () => {
    const tested = bench({ ...period, emptyData: true });
    await tested.as('OWNER').event('TimerEvent', ['did:bench:a']);
    expect(released(tested)).toEqual([{ did: 'did:bench:a', amounts: [] }]);
  });

  it('tells its author where nothing is ever let go', async () => {
    const findingsFor = async (options: Readonly<Record<string, unknown>>): Promise<string> =>
      (await bench(options).findings()).map(({ message }) => message).join();
    expect(await findingsFor(period)).toMatch(/no link brings a TimerEvent/);
    expect(await findingsFor({ ...cumulative, condition: '' })).toMatch(/not set/);
    expect(await findingsFor({ ...cumulative, condition: 'sum(other) > 1' })).toMatch(
      /no expression gives the variable "other"/,
    );
    expect(await findingsFor(cumulative)).not.toMatch(/Block "block"/);
  });
});
