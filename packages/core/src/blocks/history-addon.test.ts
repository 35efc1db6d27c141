import { defineBlock, historyAddon } from '@blockwork/core/block';
import { blockBench, documents, gridWith, type BlockBench } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const change = z.object({ id: z.string(), set: z.record(z.string(), z.json()), thenFail: z.boolean().default(false) });

/** Changes a stored document as it is told, and can fail after that. */
const desk = defineBlock({
  type: 'desk',
  title: 'Desk',
  description: 'Changes a document.',
  kind: 'interface',
  input: change,
  async receive(ctx, { id, set, thenFail }) {
    const document = await ctx.documents.get(id);
    if (document !== undefined) await ctx.documents.update({ ...document, ...set });
    if (thenFail) ctx.fail('INPUT_INVALID', { facts: { reason: 'told to fail' } });
  },
});

const benchWith = (options = {}): BlockBench =>
  blockBench(historyAddon, {
    parent: gridWith(
      documents(2, (at) => ({ id: `document-${String(at)}`, option: { status: 'New' } })),
      { children: [{ blockType: 'desk', tag: 'desk' }] },
    ),
    blocks: [desk],
    options,
  });

const setOption = (bench: BlockBench, option: object): Promise<unknown> =>
  bench.as('Installer').at('desk').send({ id: 'document-1', set: { option } });

const historiesOf = async (bench: BlockBench) => {
  const { data } = (await bench.as('Installer').at('grid').read()) as { data: { history: unknown }[] };
  return data.map((row) => row.history);
};

describe('historyAddon', () => {
  it('tells each state that a document went through, the latest first, and since when', async () => {
    const bench = benchWith();
    bench.clock.advance('1d');
    await setOption(bench, { status: 'Approved', comment: 'Well done' });
    bench.clock.advance('2h');
    await setOption(bench, { status: 'Minted' });
    expect(await historiesOf(bench)).toMatchObject([
      [{ labelValue: 'New', comment: null, created: '2026-01-01T00:00:00.000Z' }],
      [
        { labelValue: 'Minted', comment: null, created: '2026-01-02T02:00:00.000Z' },
        { labelValue: 'Approved', comment: 'Well done', created: '2026-01-02T00:00:00.000Z' },
        { labelValue: 'New', comment: null, created: '2026-01-01T00:01:00.000Z' },
      ],
    ]);
  });

  it('says the status and the reason of each state in the words of older clients as well', async () => {
    const bench = benchWith();
    await bench
      .as('Installer')
      .at('desk')
      .send({ id: 'document-1', set: { option: { status: 'Rejected' }, comment: 'too late' } });
    expect((await historiesOf(bench))[1]).toMatchObject([
      { status: 'Rejected', reason: 'too late' },
      { status: 'New', reason: null },
    ]);
  });

  it('has one entry for a document that never changed, or changed only beside its option', async () => {
    const bench = benchWith();
    bench.clock.advance('1d');
    await bench
      .as('Installer')
      .at('desk')
      .send({ id: 'document-1', set: { assignedTo: 'did:bench:verifier' } });
    await setOption(bench, { status: 'New' });
    expect(await historiesOf(bench)).toMatchObject([
      [{ labelValue: 'New', comment: null, created: '2026-01-01T00:00:00.000Z' }],
      [{ labelValue: 'New', comment: null, created: '2026-01-01T00:01:00.000Z' }],
    ]);
  });

  it('takes what it shows from the paths of its options, in the document as it was', async () => {
    const bench = benchWith({
      timelineLabelPath: 'option.step.name',
      timelineDescriptionPath: 'document.credentialSubject.0.number',
    });
    bench.clock.advance('1h');
    await setOption(bench, { step: { name: 'Inspection' } });
    expect((await historiesOf(bench))[1]).toMatchObject([
      { labelValue: 'Inspection', comment: 1, created: '2026-01-01T01:00:00.000Z' },
      { labelValue: null, comment: 1, created: '2026-01-01T00:01:00.000Z' },
    ]);
  });

  it('uses the usual paths where the policy leaves them empty', async () => {
    const bench = benchWith({ timelineLabelPath: '', timelineDescriptionPath: null });
    expect((await historiesOf(bench))[0]).toMatchObject([
      { labelValue: 'New', comment: null, created: '2026-01-01T00:00:00.000Z' },
    ]);
  });

  it('remembers nothing of a change that failed in the end', async () => {
    const bench = benchWith();
    const set = { option: { status: 'Approved' } };
    await expect(bench.as('Installer').at('desk').send({ id: 'document-1', set, thenFail: true })).rejects.toThrow(
      'told to fail',
    );
    expect((await historiesOf(bench))[1]).toMatchObject([
      { labelValue: 'New', comment: null, created: '2026-01-01T00:01:00.000Z' },
    ]);
  });

  it('shows nothing by itself, and is a finding outside a grid', async () => {
    await expect(benchWith().as('Installer').read()).rejects.toMatchObject({ code: 'BLOCK_NEITHER', status: 405 });
    const misplaced = await blockBench(historyAddon).findings();
    expect(misplaced).toContainEqual(
      expect.objectContaining({ severity: 'error', code: 'BLOCK_MISPLACED', tag: 'block' }),
    );
  });
});
