/** Explanations: they give the reasons of the decisions that reads and sends make, to those who may know. */
import { createEngine, isBlockworkError } from '@blockwork/core';
import type { BlockworkError, Caller, PolicyEngine } from '@blockwork/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const ann: Caller = { did: 'did:example:ann', role: 'USER' };
const bob: Caller = { did: 'did:example:bob', role: 'USER' };

let count = 0;
const block = (blockType: string, tag: string, rest: object = {}) => ({
  id: `00000000-0000-4000-8000-${String((count += 1)).padStart(12, '0')}`,
  blockType,
  tag,
  permissions: ['ANY_ROLE'],
  defaultActive: true,
  ...rest,
});

const policy = {
  name: 'Explained',
  policyRoles: ['Applicant', 'Verifier'],
  policyGroups: ['Applicant', 'Verifier'].map((role) => ({
    name: role,
    creator: role,
    groupAccessType: 'Private',
    groupRelationshipType: 'Multiple',
    members: [role],
  })),
  config: block('interfaceContainerBlock', 'root', {
    children: [
      block('policyRolesBlock', 'join', { permissions: ['ANY_ROLE', 'NO_ROLE'], groups: ['Applicant', 'Verifier'] }),
      block('interfaceDocumentsSourceBlock', 'looked_at', { permissions: ['Verifier'] }),
      block('interfaceContainerBlock', 'verifier_page', {
        permissions: ['Verifier'],
        children: [block('informationBlock', 'verifier_note')],
      }),
      block('interfaceStepBlock', 'steps', {
        children: [block('informationBlock', 'first'), block('informationBlock', 'second')],
      }),
      block('informationBlock', 'after_first', { dependencies: ['join', 'second'] }),
      block('unheardOfBlock', 'strange'),
      block('interfaceDocumentsSourceBlock', 'grid', {
        children: [
          block('documentsSourceAddon', 'mine', {
            dataType: 'vc-documents',
            onlyOwnDocuments: true,
            filters: [{ type: 'equal', field: 'option.status', value: 'Approved' }],
          }),
          block('documentsSourceAddon', 'all', { dataType: 'vc-documents', dependencies: ['looked_at'] }),
          block('documentsSourceAddon', 'presentations', { dataType: 'vp-documents' }),
          block('filtersAddon', 'by_kind', {
            field: 'document.kind',
            optionName: 'document.kind',
            optionValue: 'document.kind',
            canBeEmpty: true,
            children: [block('documentsSourceAddon', 'kinds', { dataType: 'vc-documents' })],
          }),
          block('paginationAddon', 'paging', { defaultActive: false }),
        ],
      }),
    ],
  }),
};

let engine: PolicyEngine;
let policyId: string;

beforeAll(async () => {
  engine = createEngine();
  policyId = (await engine.importPolicy(owner, policy)).policy.id;
  const document = (id: string, owner: string, status: string, kind: string) => ({
    id,
    owner,
    option: { status },
    document: { kind },
  });
  await engine.program.documents.add(policyId, [
    document('approved', ann.did, 'Approved', 'wind'),
    document('waiting', ann.did, 'Waiting', 'sun'),
    document('of-bob', bob.did, 'Approved', 'sun'),
  ]);
  const join = (caller: Caller, group: string) =>
    engine.sendToBlock(caller, policyId, { tag: 'join' }, { group, label: group });
  await join(ann, 'Applicant');
  await join(ann, 'Verifier');
  await join(bob, 'Verifier');
  const order = { orderField: 'createDate', orderDirection: 'asc' };
  await engine.sendToBlock(bob, policyId, { tag: 'looked_at' }, order);
});
afterAll(() => engine.close());

const explained = (caller: Caller, tag: string, as?: string) =>
  engine.explanations.block(caller, policyId, { tag }, { as });
const selection = (caller: Caller, documentId: string, as?: string) =>
  engine.explanations.document(caller, policyId, { tag: 'grid' }, documentId, { as });

async function refusalOf(work: Promise<unknown>): Promise<BlockworkError | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (isBlockworkError(error)) return error;
    throw error;
  }
}

describe('the explanation of a block', () => {
  it('agrees with the decision, and with what reads and sends are refused with, for everybody and everywhere', async () => {
    const { config } = await engine.getPolicy(owner, policyId);
    const tags = [...JSON.stringify(config).matchAll(/"tag":"(\w+)"/g)].map(([, tag = '']) => tag);
    expect(tags.length).toBeGreaterThan(10);
    for (const caller of [owner, ann, bob]) {
      for (const tag of tags) {
        const { outcome, reason, read, send, steps } = await explained(caller, tag);
        const decision = await engine.getAvailability(caller, policyId, { tag });
        expect({ outcome, ...(reason !== undefined && { reason }) }).toEqual(decision);
        const cause = steps.find((step) => step.cause !== undefined);
        expect(cause?.reason).toBe(reason);
        const refused = await refusalOf(engine.readBlock(caller, policyId, { tag }));
        expect(read).toEqual(
          refused === null ? { isAllowed: true } : { isAllowed: false, code: refused.code, reason: refused.message },
        );
        const sent = await refusalOf(engine.sendToBlock(caller, policyId, { tag }, { nonsense: true }));
        if (!send.isAllowed) expect(sent).toMatchObject({ code: send.code, message: send.reason });
      }
    }
  });

  it('tells a role apart from a group that is not active, and says what it knows of the person', async () => {
    const steps = async (caller: Caller) => (await explained(caller, 'verifier_note')).steps;
    expect(await steps(owner)).toMatchObject([{ isPermitted: true, isActive: null }, { cause: 'role' }, {}]);
    expect(await steps(ann)).toMatchObject([{}, { cause: 'group', permissions: ['Verifier'], isPermitted: false }, {}]);
    const { as } = await explained(ann, 'verifier_note');
    expect(as).toMatchObject({ did: ann.did, role: 'Applicant', isOwner: false });
    expect(as.memberships.map(({ role, active }) => [role, active])).toEqual([
      ['Applicant', true],
      ['Verifier', false],
    ]);
  });

  it('names a step, a dependency, a switched-off addon, and an unknown block type', async () => {
    expect((await explained(bob, 'second')).steps.at(-1)).toMatchObject({ cause: 'step', isActive: false });
    expect((await explained(bob, 'after_first')).steps.at(-1)).toMatchObject({
      cause: 'dependency',
      reason: expect.stringContaining('"second"') as string,
    });
    expect((await explained(bob, 'paging')).steps.at(-1)).toMatchObject({ cause: 'hidden' });
    expect(await explained(bob, 'strange')).toMatchObject({
      outcome: 'allowed',
      read: { isAllowed: false, code: 'BLOCK_TYPE_UNKNOWN' },
    });
  });

  it('says nothing of steps to whom a permission keeps out', async () => {
    const closed = { ...policy, name: 'Closed', config: { ...policy.config, permissions: ['Verifier'] } };
    const { policy: other } = await engine.importPolicy(owner, closed);
    const { steps } = await engine.explanations.block(owner, other.id, { tag: 'second' }, { as: bob.did });
    expect(steps.map(({ isActive }) => isActive)).toEqual([null, null, null]);
  });

  it('is given for others to the owner only', async () => {
    expect((await explained(owner, 'verifier_note', bob.did)).outcome).toBe('allowed');
    expect((await explained(owner, 'verifier_note', 'did:example:nobody')).as).toMatchObject({ role: null });
    await expect(explained(ann, 'verifier_note', bob.did)).rejects.toMatchObject({ code: 'POLICY_NOT_OWNED' });
    await expect(explained({ did: ann.did }, 'root')).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    await expect(explained(ann, 'nowhere')).rejects.toMatchObject({ code: 'BLOCK_UNKNOWN' });
  });
});

describe('the explanation of a document', () => {
  it('agrees with what the grid shows', async () => {
    for (const caller of [owner, ann, bob]) {
      const { data } = await engine.readBlock<{ data: { id: string; __sourceTag__: string }[] }>(caller, policyId, {
        tag: 'grid',
      });
      for (const id of ['approved', 'waiting', 'of-bob']) {
        const { isShown, sources } = await selection(owner, id, caller.did);
        const row = data.find((each) => each.id === id);
        expect(isShown).toBe(row !== undefined);
        expect(sources.find(({ outcome }) => outcome === 'selected')?.tag).toBe(row?.__sourceTag__);
      }
    }
  });

  it('names the condition that is not met, whose it is, and what the document has', async () => {
    const { isShown, sources } = await selection(owner, 'waiting', ann.did);
    expect(isShown).toBe(false);
    expect(sources.map(({ tag, outcome }) => [tag, outcome])).toEqual([
      ['mine', 'dropped'],
      ['presentations', 'dropped'],
      ['all', 'inactive'],
    ]);
    expect(sources[0]?.conditions.filter(({ isMet }) => !isMet)).toEqual([
      {
        by: 'mine',
        condition: { path: 'option.status', op: 'eq', value: 'Approved' },
        isMet: false,
        found: 'Waiting',
      },
    ]);
  });

  it('names the filter that the person has chosen', async () => {
    await engine.sendToBlock(ann, policyId, { tag: 'by_kind' }, { filterValue: 'sun' });
    const { sources } = await selection(ann, 'approved');
    expect(sources[0]).toMatchObject({ tag: 'mine', outcome: 'dropped' });
    expect(sources[0]?.conditions.filter(({ isMet }) => !isMet)).toMatchObject([
      { by: 'by_kind', condition: { path: 'document.kind' } },
    ]);
    await engine.sendToBlock(ann, policyId, { tag: 'by_kind' }, { filterValue: null });
    expect(await selection(ann, 'approved')).toMatchObject({ isShown: true });
  });

  it('says that an earlier source shows it', async () => {
    const { sources } = await selection(bob, 'of-bob');
    expect(sources.slice(0, 2)).toMatchObject([
      { tag: 'mine', outcome: 'selected' },
      { tag: 'all', outcome: 'shadowed' },
    ]);
  });

  it('tells others than the owner about their own documents and those shown to them, without the values', async () => {
    expect(JSON.stringify(await selection(ann, 'waiting'))).not.toContain('"found"');
    expect(await selection(bob, 'waiting')).toMatchObject({ isShown: true });
    const refused = await selection(ann, 'of-bob').catch((error: unknown) => error);
    const unknown = await selection(ann, 'of-nobody').catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'DOCUMENT_UNKNOWN' });
    expect((refused as Error).message.replace('of-bob', '')).toBe((unknown as Error).message.replace('of-nobody', ''));
    await expect(selection(ann, 'of-bob', bob.did)).rejects.toMatchObject({ code: 'POLICY_NOT_OWNED' });
  });

  it('is refused for a block that shows no documents', async () => {
    const at = { tag: 'join' };
    await expect(engine.explanations.document(owner, policyId, at, 'approved')).rejects.toMatchObject({
      code: 'BLOCK_WITHOUT_DOCUMENTS',
      status: 409,
    });
  });
});
