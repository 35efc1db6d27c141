/** Bundles that an engine makes, as a verifier sees them. */
import { MemoryStore, type Caller } from '@blockwork/core';
import { storyOf, verifyBundle } from '@blockwork/verify';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { resealed, type Json } from './support/mutations.js';
import { alice, auditor, provenMint, registry, type Proven } from '../../../test/support/proven-mint.js';

let proven: Proven;
beforeAll(async () => {
  proven = await provenMint();
});
afterAll(() => proven.engine.close());

const copyOf = (bundle: object): Json => JSON.parse(JSON.stringify(bundle)) as Json;

describe('the proof of a mint', () => {
  it.each(['DRAFT', 'DRY-RUN', 'DEMO'])('of a policy in the state %s is said to be of a trial', async (status) => {
    const { policy, ...rest } = copyOf(proven.mint) as { policy: object };
    const report = await verifyBundle(resealed({ ...rest, policy: { ...policy, status } }));
    expect(report.title).toMatch(
      new RegExp(`^In a trial \\(${status}\\), which counts for nothing: Proof of the mint`),
    );
    expect((await verifyBundle(copyOf(proven.mint))).title).not.toContain('trial');
  });

  it('holds, and tells who did what in which role, and what was minted', async () => {
    const report = await verifyBundle(copyOf(proven.mint));
    expect(report).toMatchObject({ ok: true, wrong: [] });
    expect(report.title).toContain('the mint of 12.50 SUN, of the policy "Sunlight" 1.0.0');
    expect(report.chapters.map(({ what, by, roles }) => [what, by, roles])).toEqual([
      ['user-role: UserRole', alice.did, ['Producer']],
      ['report: Report', alice.did, ['Producer']],
      ['mint: MintToken', registry.did, ['OWNER']],
      ['mint', registry.did, ['OWNER']],
    ]);
    expect(Object.keys(report.held).sort()).toEqual(
      [
        'amounts',
        'bundle',
        'keys',
        'log',
        'policy',
        'relationships',
        'roles',
        'schemas',
        'signatures',
        'supply',
      ].sort(),
    );
    expect(storyOf(report)).toContain('Nothing is wrong.');
  });

  it('says what it cannot check: keys, the ledger, calculations', async () => {
    const { unchecked } = await verifyBundle(copyOf(proven.mint));
    expect([...new Set(unchecked.map(({ topic }) => topic))].sort()).toEqual([
      'amounts',
      'keys',
      'log',
      'relationships',
      'roles',
      'supply',
    ]);
    expect(unchecked.find(({ topic }) => topic === 'keys')?.message).toContain(registry.did);
  });

  it('holds neither the other report nor its mint, which are beside the point', () => {
    const text = JSON.stringify(proven.mint);
    expect(text).toContain('12.5');
    expect(proven.mint.documents).toHaveLength(4);
    expect(proven.mint.mints).toMatchObject([{ amount: '12.50' }]);
    expect(proven.mint.tokens).toMatchObject([{ supply: '1950', book: [{ units: '1250' }, { units: '700' }] }]);
  });

  it('may be named by the message of the presentation, with which the memo of the mint begins', async () => {
    const [memo = ''] = (proven.mint.mints[0]?.memo ?? '').split(' ');
    const { about } = await proven.engine.tokens.bundle(registry, proven.policyId, memo);
    expect(about).toEqual(proven.mint.about);
  });
});

describe('the proof of a document', () => {
  it('holds, with nothing of what builds on it', async () => {
    const report = await verifyBundle(copyOf(proven.report));
    expect(report).toMatchObject({ ok: true, wrong: [] });
    expect(proven.report).toMatchObject({ mints: [], tokens: [], about: { kind: 'document' } });
    expect(report.chapters).toHaveLength(2);
  });

  it.each([
    ['nobody', { did: 'did:example:nobody', permissions: [] }, 'PERMISSION_DENIED'],
    ['a member', alice, 'PERMISSION_DENIED'],
    ['another registry', { did: 'did:example:other', role: 'STANDARD_REGISTRY' }, 'POLICY_NOT_OWNED'],
  ] as [string, Caller, string][])('is refused to %s', async (_, caller, code) => {
    const { engine, policyId, report, mint } = proven;
    await expect(engine.documents.bundle(caller, policyId, report.about.documentId)).rejects.toMatchObject({ code });
    await expect(engine.tokens.bundle(caller, policyId, mint.about.documentId)).rejects.toMatchObject({ code });
  });

  it('is given to auditors, as documents are', async () => {
    const { engine, policyId, report } = proven;
    const bundle = await engine.documents.bundle(auditor, policyId, report.about.documentId);
    expect({ ...bundle, created: '', seal: '' }).toEqual({ ...report, created: '', seal: '' });
  });

  it('is none of a mint, and there is none of what is not here', async () => {
    const { engine, policyId, report } = proven;
    const code = 'DOCUMENT_UNKNOWN';
    await expect(engine.tokens.bundle(registry, policyId, report.about.documentId)).rejects.toMatchObject({ code });
    await expect(engine.documents.bundle(registry, policyId, '__proto__')).rejects.toMatchObject({ code });
  });
});

describe('a bundle', () => {
  it('above the bytes of an answer is not made', async () => {
    const making = provenMint(undefined, { limits: { pageBytes: 8_000 } });
    await expect(making).rejects.toMatchObject({ code: 'PAGE_TOO_LARGE', facts: { limit: 8_000 } });
  });

  it('of more than 1,000 messages is not made', async () => {
    const store = new MemoryStore();
    const { engine, policyId } = await provenMint(undefined, { store });
    onTestFinished(() => engine.close());
    const ids = Array.from({ length: 1_001 }, (_, at) => `1600000000.${String(at).padStart(9, '0')}`);
    const facts = { topicId: '0.0.1', type: 'vc-document', owner: alice.did, hash: '', memo: '', body: null };
    const message = { op: 'put', kind: 'ledger-message', partition: policyId } as const;
    await store.commit({
      expect: {},
      changes: ids.map((id) => ({ ...message, value: { ...facts, id, relationships: [] } })),
    });
    const document = { type: ['VerifiableCredential'] };
    const add = async (id: string, relationships: string[]): Promise<unknown> =>
      engine.program.documents.add(policyId, [{ id, owner: alice.did, document, relationships }]);
    await add('few', ids.slice(1));
    await add('many', ids);
    expect((await engine.documents.bundle(registry, policyId, 'few')).messages).toHaveLength(1_000);
    const code = 'BUNDLE_TOO_LARGE';
    await expect(engine.documents.bundle(registry, policyId, 'many')).rejects.toMatchObject({ code });
  });

  it.each([undefined, null, 7, 'x', [], {}, { format: 'blockwork-bundle/2' }, { format: 'blockwork-bundle/1' }])(
    'that is %j is wrong, without an exception',
    async (value) => {
      expect(await verifyBundle(value)).toMatchObject({ ok: false, wrong: [{ topic: 'bundle' }] });
    },
  );

  it('that nests without end is wrong', async () => {
    let deep: Json = {};
    for (let level = 0; level < 10_000; level += 1) deep = { deep };
    expect(await verifyBundle({ ...(copyOf(proven.mint) as object), about: deep })).toMatchObject({ ok: false });
  });

  it('with a member that no check knows is wrong', async () => {
    const { wrong } = await verifyBundle(resealed({ ...(copyOf(proven.mint) as object), note: 'trust me' }));
    expect(wrong).toEqual([{ topic: 'bundle', message: '/note is not part of a bundle.' }]);
  });

  it('of a rule that is more than arithmetic says so, and is not wrong for that', async () => {
    const other = await provenMint((blocks) => {
      const mint = blocks.find(({ tag }) => tag === 'mint');
      if (mint) mint['rule'] = 'sqrt(kilowattHours * kilowattHours)';
    });
    onTestFinished(() => other.engine.close());
    const { ok, unchecked } = await verifyBundle(copyOf(other.mint));
    expect(ok).toBe(true);
    expect(unchecked.map(({ message }) => message).join('\n')).toContain('it calls sqrt');
  });

  it.each([
    ['kilowattHours * 2 - 3 ^ 2 / (1 + 2)', '22.00'],
    ['kilowattHours / 3', '4.17'],
    ['max(kilowattHours, 20) + round(0.5)', '21.00'],
  ])('of the rule %s has the amount of the engine', async (rule, amount) => {
    const other = await provenMint((blocks) => {
      const mint = blocks.find(({ tag }) => tag === 'mint');
      if (mint) mint['rule'] = rule;
    });
    onTestFinished(() => other.engine.close());
    const { ok, wrong, unchecked } = await verifyBundle(copyOf(other.mint));
    expect({ ok, wrong }).toEqual({ ok: true, wrong: [] });
    expect(unchecked.map(({ message }) => message).join()).not.toContain('its rule');
    expect(other.mint.mints).toMatchObject([{ amount }]);
  });
});
