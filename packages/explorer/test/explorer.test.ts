import {
  describeExploration,
  explorePolicy,
  openScenarioWorld,
  runScenario,
  type Exploration,
} from '@blockwork/explorer';
import { block } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { approvals, orchard, secondMint } from './support/orchard.js';

const explored = (source: object, more: object = {}): Promise<Exploration> =>
  explorePolicy(source, { seed: 3, steps: 60, walk: 30, users: 3, tries: 40, ...more });

/** A script that was printed does what it says. */
async function failuresOf(source: object, script: unknown): Promise<unknown> {
  const world = await openScenarioWorld(source);
  try {
    return (await runScenario(script, world)).failures;
  } finally {
    await world.close();
  }
}

describe('an exploration', () => {
  it('reaches every block of a policy without defects, and says by whom', async () => {
    const { coverage, deadEnds, refusals, failures, internalErrors, mintedTwice, minted } = await explored(orchard());
    expect(coverage).toMatchObject({ blocks: 12, reachable: 12, unreached: [] });
    expect(coverage.reached.find((reached) => reached.block === 'decide')?.by).toEqual({
      Verifier: expect.any(Number),
    });
    expect(Object.keys(coverage.reached.find((reached) => reached.block === 'mint')?.by ?? {})).toEqual(['Verifier']);
    expect({ deadEnds, refusals, failures, internalErrors, mintedTwice }).toEqual({
      deadEnds: [],
      refusals: [],
      failures: [],
      internalErrors: [],
      mintedTwice: [],
    });
    expect(minted).toMatchObject([{ token: '0.0.77', name: 'Apple', by: 'Verifier' }]);
  });

  it('is the same for the same seed, and another for another', async () => {
    const once = await explored(orchard(), { tries: 0 });
    expect(JSON.stringify(await explored(orchard(), { tries: 0 }))).toBe(JSON.stringify(once));
    expect((await explored(orchard(), { tries: 0, seed: 4 })).minted).not.toEqual(once.minted);
  });

  it('finds documents that nobody can move on, and says why', async () => {
    const source = orchard({ status: 'Waiting for approval' });
    const { deadEnds, coverage } = await explored(source);
    expect(deadEnds).toMatchObject([
      { type: 'harvest', status: 'Waiting for approval', certain: true, reason: expect.stringContaining('"harvests"') },
    ]);
    expect(deadEnds[0]?.reason).toContain('it asks for option.status "Waiting"');
    expect(coverage.unreached.find((missed) => missed.block === 'decide')).toMatchObject({
      reason: 'not offered',
      static: false,
    });
    expect(deadEnds[0]?.scenario.map(({ tag }) => tag)).toEqual(['choose_role', 'harvest']);
    expect(await failuresOf(source, deadEnds[0]?.scenario)).toEqual([]);
  });

  it('tells blocks that nothing can reach from blocks that nothing came to', async () => {
    const more = [
      block('informationBlock', 'for_auditors', { permissions: ['Auditor'] }),
      block('informationBlock', 'tucked_away', { defaultActive: false }),
      block('reassigningBlock', 'alone', { stopPropagation: true }),
      block('mintDocumentBlock', 'cut_off', { tokenId: '0.0.77', rule: '1', accountType: 'default' }),
    ];
    // Nobody can take it.
    const policyRoles = ['Grower', 'Verifier', 'Auditor'];
    const exploration = await explored({ ...orchard({ more }), policyRoles });
    expect(exploration.coverage.unreached).toMatchObject([
      { block: 'for_auditors', reason: 'no role', static: true, certain: true },
      // A program can open it by its tag.
      { block: 'tucked_away', reason: 'hidden', static: true, certain: false },
      { block: 'alone', reason: 'no event', static: true, certain: true },
      { block: 'cut_off', reason: 'no event', static: true, certain: true },
    ]);
    const text = describeExploration(exploration);
    expect(text).toContain('\nfound 4 unreachable blocks\n');
    expect(text).toMatch(/nothing can ever reach:\n {2}for_auditors .*\n {2}alone .*\n {2}cut_off /);
    expect(text).toMatch(/nothing in the policy leads to \(a program or another instance may\):\n {2}tucked_away /);
  });

  it('finds nothing wrong only in what it reached', async () => {
    expect(describeExploration(await explored(orchard()))).toContain('\nfound nothing wrong\n');
    const short = describeExploration(await explored(orchard(), { steps: 2 }));
    expect(short).toContain('\nfound nothing wrong in what it reached\n');
  });

  it.each([
    ['which is not certain', [], ['nobody saw them, and nothing referred to them']],
    ['unless a report shows them', [{ type: 'equal', typeValue: 'value', field: 'type', value: 'note' }], []],
    [
      'whatever else a report shows',
      [{ type: 'equal', typeValue: 'value', field: 'type', value: 'other' }],
      [expect.any(String)],
    ],
  ])('says of documents that nobody saw that they come to an end, %s', async (_, filters, reasons) => {
    const permissions = ['Grower'];
    const document = { $id: '#note', type: 'object', properties: { text: { type: 'string' } } };
    const note = { iri: '#note', name: 'Note', document };
    const more = [
      block('requestVcDocumentBlock', 'note', { permissions, schema: note.iri }),
      block('sendToGuardianBlock', 'save_note', { dataSource: 'database', entityType: 'note', stopPropagation: true }),
      ...(filters.length === 0
        ? []
        : [block('reportBlock', 'report', { permissions, children: [block('reportItemBlock', 'item', { filters })] })]),
    ];
    const { schemas, ...policy } = orchard({ more }) as { schemas: object[] };
    const { deadEnds } = await explored({ ...policy, schemas: [...schemas, note] });
    expect(deadEnds.filter(({ type }) => type === 'note').map(({ reason }) => reason)).toEqual(reasons);
    expect(deadEnds.every(({ certain }) => !certain)).toBe(true);
  });

  it('follows what cannot happen through steps and documents', async () => {
    const stored = { dataType: 'vc-documents', filters: [{ type: 'equal', field: 'type', value: 'audit' }] };
    const more = [
      block('interfaceStepBlock', 'audit', {
        permissions: ['Verifier'],
        children: [
          block('informationBlock', 'wait', { permissions: ['Verifier'] }),
          block('requestVcDocumentBlock', 'audit_form', {
            permissions: ['Verifier'],
            schema: '#00000000-0000-4000-8000-0000000000aa',
          }),
          block('sendToGuardianBlock', 'audit_save', { dataSource: 'database', entityType: 'audit' }),
        ],
      }),
      block('interfaceDocumentsSourceBlock', 'audits', {
        permissions: ['Verifier'],
        uiMetaData: { fields: [{ name: '', title: 'Seen', type: 'block', bindBlock: 'see_audit' }] },
        children: [block('documentsSourceAddon', 'audits_source', stored)],
      }),
      block('buttonBlock', 'see_audit', {
        permissions: ['Verifier'],
        uiMetaData: {
          buttons: [{ tag: 'Seen', type: 'selector', field: 'option.status', value: 'Seen', filters: [] }],
        },
      }),
    ];
    const { coverage } = await explored(orchard({ more }), { steps: 30 });
    expect(coverage.unreached.filter((missed) => missed.static)).toMatchObject([
      { block: 'audit_form', reason: 'no event', detail: expect.stringContaining('never comes to it') },
      { block: 'audit_save', reason: 'no event', detail: expect.stringContaining('"audit_form"') },
      {
        block: 'see_audit',
        reason: 'no documents',
        certain: false,
        detail: expect.stringContaining('only "audit_save"'),
      },
    ]);
  });

  it('comes to the end of a long chain of approvals within a few steps', async () => {
    const { coverage } = await explored(approvals(8), { steps: 100, walk: 50, tries: 0 });
    expect(coverage.unreached).toEqual([]);
  });

  it('finds a rule that mints twice, with the shortest way to it', async () => {
    const source = orchard({ more: [secondMint], approved: ['approve_save', 'mint_again'] });
    const { mintedTwice, invariants } = await explored(source, { invariants: ['expect mints <= approved'] });
    expect(mintedTwice).toMatchObject([{ token: 'Apple', times: expect.any(Number) }]);
    expect([...(mintedTwice[0]?.blocks ?? [])].sort()).toEqual(['mint', 'mint_again']);
    const steps = mintedTwice[0]?.scenario.map(({ method, tag }) => `${method} ${tag}`);
    expect(steps).toEqual(['POST choose_role', 'POST choose_role', 'POST harvest', 'GET harvests', 'POST decide']);
    expect(await failuresOf(source, mintedTwice[0]?.scenario)).toEqual([]);
    expect(invariants).toMatchObject([{ held: false, reason: 'mints is 2, approved is 1' }]);
  });

  it('holds invariants against every move', async () => {
    const { invariants } = await explored(orchard(), {
      invariants: [
        'only Verifier approves',
        'only Grower approves',
        'expect minted <= sum(harvest|Approved, kilograms)',
        'nobody uses reject_save',
        { name: 'little is minted', holds: ({ minted }: { minted: () => number }) => minted() < 1 || 'too much' },
      ],
    });
    expect(invariants.map(({ invariant, held: isHeld }) => [invariant, isHeld])).toEqual([
      ['only Verifier approves', true],
      ['only Grower approves', false],
      ['expect minted <= sum(harvest|Approved, kilograms)', true],
      ['nobody uses reject_save', true],
      ['little is minted', false],
    ]);
  });

  it('reports refusals of what clients offer, and what it takes to meet them', async () => {
    const source = orchard({ rule: 'kilograms - 25' });
    const { refusals } = await explored(source);
    expect(refusals).toMatchObject([{ block: 'mint', by: ['Verifier'] }]);
    expect(refusals[0]?.scenario.at(-1)).toMatchObject({
      as: expect.any(String),
      tag: 'decide',
      expect: { error: refusals[0]?.code },
    });
    expect(await failuresOf(source, refusals[0]?.scenario)).toEqual([]);
  });

  it('refuses options and sentences that it does not understand', async () => {
    await expect(explored(orchard(), { steps: 0 })).rejects.toThrow('steps');
    await expect(explored(orchard(), { invariants: ['all is well'] })).rejects.toThrow('not understood');
  });
});
