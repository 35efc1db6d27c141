/** How calculated numbers came about: the block, the documents, the formulas and the values, for those who see the document. */
import type { Caller, DocumentDerivation } from '@blockwork/core';
import type { BlockType, JsonObject } from '@blockwork/core/block';
import type { BlockFragment } from '@blockwork/testing';
import { standardBlocks } from '@blockwork/blocks';
import { describe, expect, it } from 'vitest';
import { FARM, READING, schemas } from './farm-schemas.js';
import { signedBench, type SignedBench } from './signed-documents.js';

const blocks = standardBlocks();
const typeOf = (name: string): BlockType => {
  const blockType = blocks.find(({ type }) => type === name);
  if (blockType === undefined) throw new Error(name);
  return blockType;
};

/** What the block makes is stored by the block that keeps it. */
const bench = (
  type: string,
  options: JsonObject,
  children: BlockFragment[] = [],
  beside: BlockFragment[] = [],
): SignedBench =>
  signedBench(typeOf(type), {
    blocks: blocks.filter((each) => each.type !== type),
    policy: { schemas },
    options: {
      tag: 'sum_up',
      events: [{ source: 'sum_up', output: 'RunEvent', target: 'keep', input: 'RunEvent', actor: '' }],
      ...options,
    },
    parent: {
      blockType: 'interfaceContainerBlock',
      tag: 'page',
      children: [
        {
          blockType: 'sendToGuardianBlock',
          tag: 'keep',
          dataSource: 'database',
          documentType: 'vc',
          stopPropagation: true,
        },
        ...beside,
      ],
    },
    children,
  });

/** Two readings are taken in, and the block runs with them. */
async function derived(signedBench: SignedBench): Promise<DocumentDerivation> {
  const readings = await signedBench.signed(
    'ann',
    { subject: { id: 'urn:1', value: 2 }, schema: READING, type: 'reading' },
    { subject: { id: 'urn:2', value: 5 }, schema: READING, type: 'reading' },
  );
  await signedBench.run(readings);
  const { engine, policyId, owner } = await signedBench.open();
  const document = (await engine.documents.list(owner, policyId, { schema: FARM })).items.at(-1);
  return engine.documents.derivation(owner, policyId, document?.id ?? '');
}

/** Adds, as a program does, a document `claimed` that says what another one says, but for `other`, and names a reading as its source. */
async function claim(signedBench: SignedBench, documentId: string, other: JsonObject = {}): Promise<void> {
  const { engine, policyId, owner } = await signedBench.open();
  const { document } = await engine.documents.get(owner, policyId, documentId);
  const [reading] = (await engine.documents.list(owner, policyId, { schema: READING })).items;
  const stated = { ...document.document, ...other };
  await engine.program.documents.add(policyId, [
    { id: 'claimed', owner: document.owner, schema: FARM, relationships: [reading?.messageId ?? ''], document: stated },
  ]);
}

const container = {
  inputSchema: READING,
  outputSchema: FARM,
  inputFields: [{ name: 'value', title: 'Value', value: 'readings' }],
  outputFields: [
    { name: 'name', title: 'Name', value: 'label' },
    { name: 'area', title: 'Area', value: 'total' },
  ],
};
const formulas: BlockFragment = {
  blockType: 'calculateMathAddon',
  tag: 'formulas',
  equations: [
    { variable: 'total', formula: 'sum(readings) * factor', role: '' },
    { variable: 'label', formula: '"Seven"', role: '' },
  ],
};
/** Taken from the oldest reading, whose value is 2. */
const factor: BlockFragment = {
  blockType: 'calculateMathVariables',
  tag: 'factor_of_first',
  sourceSchema: READING,
  variables: [{ variableName: 'factor', variablePath: 'document.credentialSubject.0.value' }],
};

describe('the derivation of a document', () => {
  it('names the block, its documents, each variable with its value, and what the document has', async () => {
    const signedBench = bench('calculateContainerBlock', container, [factor, formulas]);
    const { entryId, isRecorded, blocks: derivations } = await derived(signedBench);
    const { engine, policyId, owner } = await signedBench.open();
    const readings = (await engine.documents.list(owner, policyId, { schema: READING })).items.map(({ id }) => id);
    expect(isRecorded).toBe(true);
    expect((await engine.journal.get(owner, policyId, entryId ?? '')).documents.added).toHaveLength(1);
    expect(derivations).toHaveLength(1);
    expect(derivations[0]).toMatchObject({
      block: { tag: 'sum_up', blockType: 'calculateContainerBlock' },
      sources: readings.map((id) => ({ id, type: 'reading' })),
      variables: [
        { name: 'readings', by: 'sum_up', value: [2, 5], from: { documentIds: readings, path: 'value' } },
        { name: 'factor', by: 'factor_of_first', value: 2, from: { documentIds: readings.slice(0, 1) } },
        { name: 'total', by: 'formulas', value: 14, formula: 'sum(readings) * factor', uses: ['readings', 'factor'] },
        { name: 'label', by: 'formulas', value: 'Seven', uses: [] },
      ],
      fields: [
        { path: 'name', variable: 'label', value: 'Seven', found: 'Seven', isSame: true },
        { path: 'area', variable: 'total', value: 14, found: 14, isSame: true },
      ],
    });
    await signedBench.close();
  });

  it('leaves out what could have made the document and took no part in the unit that did', async () => {
    const twin: BlockFragment = {
      ...container,
      blockType: 'calculateContainerBlock',
      tag: 'never_ran',
      children: [
        { ...factor, tag: 'its_factor' },
        { ...formulas, tag: 'its_formulas' },
      ],
    };
    const signedBench = bench('calculateContainerBlock', container, [factor, formulas], [twin]);
    const { documentId, isRecorded, blocks: derivations } = await derived(signedBench);
    expect(isRecorded).toBe(true);
    expect(derivations.map(({ block }) => block.tag)).toEqual(['sum_up']);
    const { engine, policyId, owner } = await signedBench.open();
    await claim(signedBench, documentId);
    // Without a unit that ran either, both could have made it.
    const claimed = await engine.documents.derivation(owner, policyId, 'claimed');
    expect(claimed.blocks.map(({ block }) => block.tag).sort()).toEqual(['never_ran', 'sum_up']);
    await signedBench.close();
  });

  it('says where a document has something else than what its formulas give', async () => {
    const signedBench = bench('calculateContainerBlock', container, [factor, formulas]);
    const { documentId } = await derived(signedBench);
    const { engine, policyId, owner } = await signedBench.open();
    await claim(signedBench, documentId, { credentialSubject: [{ name: 'Seven', area: 99 }] });
    const claimed = await engine.documents.derivation(owner, policyId, 'claimed');
    // The importer's unit ran no block: this is what would have made it.
    expect(claimed.isRecorded).toBe(false);
    expect(claimed.blocks[0]?.fields).toMatchObject([
      { path: 'name', isSame: true },
      { path: 'area', value: 4, found: 99, isSame: false },
    ]);
    await signedBench.close();
  });

  it('of formulas in LaTeX has the formulas as they are written', async () => {
    const link = (name: string, field: string) => ({ type: 'link', name, field, schema: '', description: '' });
    const group = (...items: JsonObject[]) => [{ type: 'group', name: 'Tab', items }];
    const body = String.raw`\operatorname{read}\cdot 3`;
    const expression = {
      variables: group(link('read', 'value')),
      formulas: group({ type: 'variable', name: 'tripled', body, params: [], relationships: [] }),
      outputs: group(link('tripled', 'area')),
      code: 'return { ...result, name: "By a script" };',
    };
    const signedBench = bench('mathBlock', { inputSchema: READING, outputSchema: FARM, expression });
    const { blocks: derivations } = await derived(signedBench);
    expect(derivations).toMatchObject([
      {
        block: { blockType: 'mathBlock' },
        sources: [{ type: 'reading' }],
        variables: [
          { name: 'read', value: 5, from: { path: 'value' } },
          { name: 'tripled', value: 15, formula: body, uses: ['read'] },
        ],
        fields: [{ path: 'area', variable: 'tripled', value: 15, found: 15, isSame: true }],
        script: expression.code,
      },
    ]);
    await signedBench.close();
  });

  it('of a script shows the script and its documents', async () => {
    const expression = 'done({ name: "All", area: documents.length });';
    const signedBench = bench('customLogicBlock', { expression, outputSchema: FARM });
    const { blocks: derivations } = await derived(signedBench);
    expect(derivations).toMatchObject([
      { block: { blockType: 'customLogicBlock' }, sources: [{}, {}], variables: [], fields: [], script: expression },
    ]);
    await signedBench.close();
  });

  it('is empty for what nobody calculates, and for nobody who may not see the document', async () => {
    const signedBench = bench('calculateContainerBlock', container, [factor, formulas]);
    const { documentId } = await derived(signedBench);
    const { engine, policyId, owner } = await signedBench.open();
    const [reading] = (await engine.documents.list(owner, policyId, { schema: READING })).items;
    expect((await engine.documents.derivation(owner, policyId, reading?.id ?? '')).blocks).toEqual([]);
    const refusal = async (caller: Caller, id = documentId): Promise<string> =>
      engine.documents.derivation(caller, policyId, id).then(
        () => 'none',
        (error: unknown) => (error as { code: string }).code,
      );
    expect(await refusal(owner, 'nothing')).toBe('DOCUMENT_UNKNOWN');
    expect(await refusal({ did: 'did:bench:ann', role: 'USER' })).toBe('PERMISSION_DENIED');
    expect(await refusal({ did: 'did:bench:else', role: 'STANDARD_REGISTRY' })).toBe('POLICY_NOT_OWNED');
    await signedBench.close();
  });

  it('says why where its formulas cannot be worked out again', async () => {
    const signedBench = bench('calculateContainerBlock', container, [factor, { ...formulas, equations: 'none' }]);
    await signedBench.signed('ann', { subject: { value: 2 }, schema: READING });
    const { engine, policyId, owner } = await signedBench.open();
    const [{ messageId = '' } = {}] = (await engine.documents.list(owner, policyId)).items;
    const document = { credentialSubject: [{ name: 'Seven', area: 4 }] };
    const record = { id: 'claimed', owner: owner.did, schema: FARM, relationships: [messageId ?? ''], document };
    await engine.program.documents.add(policyId, [record]);
    const { blocks: derivations } = await engine.documents.derivation(owner, policyId, 'claimed');
    expect(derivations).toMatchObject([
      { block: { tag: 'sum_up' }, fields: [], problem: expect.any(String) as string },
    ]);
    await signedBench.close();
  });
});
