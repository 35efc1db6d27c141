/** Looking into documents, their trust chain and the tokens minted for them, as owner, auditor and others. */
import type { Caller, PolicyEngine } from '@blockwork/core';
import type { DocumentRecord } from '@blockwork/core/block';
import { mintDocumentBlock } from '@blockwork/blocks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CERTIFICATES, signedBench, TOKEN, type SignedBench } from './signed-documents.js';

const auditor: Caller = { did: 'did:example:auditor', role: 'AUDITOR' };
const stranger: Caller = { did: 'did:example:stranger', role: 'STANDARD_REGISTRY' };
const user: Caller = { did: 'did:bench:installer', role: 'USER' };

let bench: SignedBench;
let engine: PolicyEngine;
let policyId: string;
let owner: Caller;
let registration: DocumentRecord | undefined;
let request: DocumentRecord | undefined;
let presentation: DocumentRecord | undefined;

/** A registration, a request that builds on it, and what was minted for the request; and two documents beside them. */
beforeAll(async () => {
  bench = signedBench(mintDocumentBlock(), { options: { tokenId: TOKEN, rule: 'n', stopPropagation: true } });
  [registration] = await bench.signed('installer', { subject: { id: 'urn:plant' }, type: 'registration' });
  await bench.signed('other', { subject: { id: 'urn:other' }, forged: { id: 'urn:mine' }, type: 'registration' });
  const relationships = [registration?.messageId ?? ''];
  [request] = await bench.signed('installer', {
    subject: { n: 3 },
    type: 'request',
    relationships,
    option: { status: 'Approved' },
  });
  await bench.run(request);
  await bench.signed('installer', { subject: { n: 9 }, type: 'lost', relationships: ['1.000000001'] });
  presentation = (await bench.documents()).find(({ dataType }) => dataType === 'vp-documents');
  ({ engine, policyId, owner } = await bench.open());
});
afterAll(() => bench.close());

const idOf = (document: DocumentRecord | undefined): string => document?.id ?? '';
const documentOfType = async (type: string) => (await engine.documents.list(owner, policyId, { type })).items.at(-1);

describe('documents', () => {
  it('are listed by what they are, from either end', async () => {
    const { items, total } = await engine.documents.list(owner, policyId);
    expect(items.map(({ id }) => id)).toEqual((await bench.documents()).map(({ id }) => id));
    expect(total).toBe(items.length);
    const newest = await engine.documents.list(owner, policyId, { from: 'newest', limit: 1 });
    expect(newest).toMatchObject({ total, items: [{ createDate: items.at(-1)?.createDate }] });
    const totalOf = async (query: object) => (await engine.documents.list(owner, policyId, query)).total;
    expect(await totalOf({ type: 'registration' })).toBe(2);
    expect(await totalOf({ type: 'registration', owner: user.did })).toBe(1);
    expect(await totalOf({ dataType: 'vp-documents' })).toBe(1);
    expect(await totalOf({ status: 'Approved', type: 'request' })).toBe(1);
    expect(await totalOf({ schema: '__proto__' })).toBe(0);
    await expect(totalOf({ limit: 1001 })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  });

  it('say whether their proof holds, what they build on, what builds on them, and what was minted for them', async () => {
    const details = await engine.documents.get(owner, policyId, idOf(request));
    expect(details).toMatchObject({
      document: { id: idOf(request) },
      proof: { verified: true },
      buildsOn: [{ id: registration?.messageId }],
      mints: [],
    });
    expect(details.usedBy.length).toBeGreaterThan(0);
    const { mints, proof } = await engine.documents.get(owner, policyId, idOf(presentation));
    expect(proof).toEqual({ verified: true, reason: '' });
    expect(mints).toMatchObject([{ type: 'mint', tokenId: TOKEN, amount: '3.0000' }]);
    const [, forged] = (await engine.documents.list(owner, policyId, { type: 'registration' })).items;
    expect((await engine.documents.get(owner, policyId, idOf(forged))).proof).toMatchObject({
      verified: false,
      reason: expect.stringContaining('The credential is not accepted') as string,
    });
  });

  it('have a trust chain back to the first one, with signers, proofs and mints', async () => {
    const chain = await engine.documents.trustChain(owner, policyId, idOf(presentation));
    expect(chain).toMatchObject({ documentId: idOf(presentation), isComplete: true, isTrusted: true, missing: [] });
    expect(chain.links[0]).toMatchObject({ messageId: registration?.messageId, signer: user.did, roles: [] });
    expect(chain.links[1]).toMatchObject({ messageId: request?.messageId, buildsOn: [registration?.messageId] });
    const last = chain.links.at(-1);
    expect(last).toMatchObject({ document: { id: idOf(presentation) }, signer: owner.did, roles: ['OWNER'] });
    expect(last?.mints).toMatchObject([{ amount: '3.0000' }]);
    expect(chain.links.map(({ document }) => document?.id)).not.toContain(idOf(await documentOfType('registration')));
  });

  it('are not trusted with a forged proof, nor with a message that nobody has', async () => {
    const forged = await engine.documents.trustChain(owner, policyId, idOf(await documentOfType('registration')));
    expect(forged).toMatchObject({ isComplete: true, isTrusted: false });
    const lost = await engine.documents.trustChain(owner, policyId, idOf(await documentOfType('lost')));
    expect(lost).toMatchObject({ isTrusted: false, missing: ['1.000000001'], links: [{ proof: { verified: true } }] });
  });

  it.each([
    ['of no policy', 'nothing', 'POLICY_UNKNOWN'],
    ['of no id', undefined, 'DOCUMENT_UNKNOWN'],
  ])('%s are not here', async (_, policy, code) => {
    const askedPolicy = policy ?? policyId;
    await expect(engine.documents.get(owner, askedPolicy, '__proto__')).rejects.toMatchObject({ code });
    await expect(engine.documents.trustChain(owner, askedPolicy, '__proto__')).rejects.toMatchObject({ code });
  });
});

describe('tokens', () => {
  it('say what was minted, and who holds it', async () => {
    expect(await engine.tokens.get(owner, policyId, TOKEN)).toMatchObject({
      id: TOKEN,
      decimals: 4,
      mints: 1,
      minted: '30000',
      mintedAmount: '3.0000',
      supplyAmount: '3.0000',
      holders: 1,
    });
    const { items, total } = await engine.tokens.balances(owner, policyId, TOKEN);
    expect([items, total]).toMatchObject([[{ balance: '30000', amount: '3.0000', kyc: 'unset' }], 1]);
    expect(await engine.tokens.get(owner, policyId, CERTIFICATES)).toMatchObject({ mints: 0, minted: '0', holders: 0 });
    await expect(engine.tokens.get(owner, policyId, '__proto__')).rejects.toMatchObject({
      code: 'LEDGER_TOKEN_UNKNOWN',
    });
  });

  it('have a book of what happened on the ledger', async () => {
    const { items } = await engine.tokens.effects(owner, policyId, { type: 'mint' });
    expect(items).toMatchObject([{ tokenId: TOKEN, units: '30000' }]);
    const accountId = items[0]?.accountId ?? '';
    const ofAccount = await engine.tokens.effects(owner, policyId, { accountId, tokenId: TOKEN });
    expect(ofAccount.items.map(({ type }) => type)).toContain('mint');
    const all = await engine.tokens.effects(owner, policyId);
    expect((await engine.tokens.effects(owner, policyId, { offset: 1, limit: 1 })).items).toEqual([all.items[1]]);
  });
});

describe('whoever looks', () => {
  const looks = (caller: Caller): [string, () => Promise<unknown>][] => [
    ['documents', () => engine.documents.list(caller, policyId)],
    ['a document', () => engine.documents.get(caller, policyId, idOf(request))],
    ['a trust chain', () => engine.documents.trustChain(caller, policyId, idOf(request))],
    ['a token', () => engine.tokens.get(caller, policyId, TOKEN)],
    ['balances', () => engine.tokens.balances(caller, policyId, TOKEN)],
    ['the ledger', () => engine.tokens.effects(caller, policyId)],
  ];

  it.each([
    ['another registry', stranger, 'POLICY_NOT_OWNED'],
    ['a user', user, 'PERMISSION_DENIED'],
    ['an auditor, before it is published', auditor, 'POLICY_NOT_OWNED'],
  ])('is refused as %s', async (_, caller, code) => {
    for (const [name, look] of looks(caller)) {
      await expect(look(), name).rejects.toMatchObject({ code });
    }
  });

  it('is let in as an auditor once it is published', async () => {
    const { policy } = await engine.importPolicy(owner, {
      name: 'Published',
      config: {
        id: '00000000-0000-4000-8000-0000000000aa',
        blockType: 'interfaceContainerBlock',
        tag: 'root',
        permissions: ['ANY_ROLE'],
        children: [],
      },
    });
    await expect(engine.documents.list(auditor, policy.id)).rejects.toMatchObject({ code: 'POLICY_NOT_OWNED' });
    expect(await engine.lifecycle.publish(owner, policy.id, '1.0.0')).toMatchObject({ isValid: true });
    expect(await engine.documents.list(auditor, policy.id)).toEqual({ items: [], total: 0 });
    expect(await engine.tokens.effects(auditor, policy.id, { type: 'mint' })).toEqual({ items: [], total: 0 });
    await expect(engine.documents.list(stranger, policy.id)).rejects.toMatchObject({ code: 'POLICY_NOT_OWNED' });
  });
});
