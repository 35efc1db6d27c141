import { MemoryStore } from '../memory/store/memory-store.js';
import type { DocumentRecord } from '../records/kinds.js';
import type { PolicyStore } from '../ports/policy-store.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonBytes } from '../records/index.js';
import { revisionKeys, UnitOfWork } from '../transactions/index.js';
import { DocumentUsage, type DocumentQuotas } from './document-usage.js';
import { PolicyDocumentsWriter } from './policy-documents.js';
import { RunLog } from './run-log.js';

const POLICY = 'policy';
const KEY = revisionKeys.policy.of(POLICY);
const none: DocumentQuotas = {
  policyDocuments: Infinity,
  policyBytes: Infinity,
  userDocuments: Infinity,
  userBytes: Infinity,
};
const counted: DocumentQuotas = { ...none, policyDocuments: 1_000_000 };

let ids = 0;
const usageWith = (quotas: DocumentQuotas): DocumentUsage => new DocumentUsage(quotas, { uuid: () => `id-${++ids}` });

interface Session {
  readonly documents: PolicyDocumentsWriter;
  readonly unit: UnitOfWork;
}

/** A unit of work; `work` resolves to whether it is committed. */
async function unitOf(
  store: PolicyStore,
  usage: DocumentUsage,
  work: (session: Session) => Promise<boolean>,
): Promise<void> {
  const unit = await UnitOfWork.begin(store, [KEY]);
  const deps = { clock: { now: () => 0 }, ids: { uuid: () => `id-${++ids}` }, limits: { documentBytes: 1e6 }, usage };
  const isKept = await work({ unit, documents: new PolicyDocumentsWriter(unit, POLICY, deps, new RunLog()) });
  const changeSet = unit.changeSet();
  if (isKept && changeSet !== null) await store.commit(changeSet);
}

const sum = (documents: readonly DocumentRecord[]): { documents: number; bytes: number } => ({
  documents: documents.length,
  bytes: documents.reduce((bytes, document) => bytes + jsonBytes(document), 0),
});

/** What is stored for the policy and for each owner, or nothing while it is not counted. */
async function countsOf(store: PolicyStore): Promise<Record<string, unknown>> {
  const records = await store.find('document-usage', POLICY);
  const { generation } = records.find(({ id }) => id === 'policy') ?? {};
  const current = records.filter((record) => record.generation === generation);
  return Object.fromEntries(current.map(({ id, documents, bytes }) => [id, { documents, bytes }]));
}

const owners = ['did:example:alice', 'did:example:bob', 'did:example:carol'];
const step = fc.record({
  verb: fc.constantFrom('add', 'update', 'remove'),
  document: fc.integer({ min: 0, max: 7 }),
  owner: fc.constantFrom(...owners),
  text: fc.string({ unit: 'binary', maxLength: 20 }),
});
const sequence = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 6 }),
  /** After as many steps, the rest is taken back. */
  rolledBackFrom: fc.nat(6),
  isKept: fc.boolean(),
  /** The process of this unit has quotas. */
  hasQuotas: fc.boolean(),
});

async function apply(
  { documents }: Session,
  { verb, document, owner, text }: typeof step extends fc.Arbitrary<infer S> ? S : never,
): Promise<void> {
  const id = `document-${document}`;
  const before = await documents.get(id);
  if (verb === 'remove') {
    if (before !== undefined) await documents.remove(id);
  } else if (before === undefined) await documents.add({ id, owner, document: { text } });
  else await documents.update({ ...before, owner, document: { text } });
}

describe('usage of documents', () => {
  it('is exactly what is stored, whatever is changed, taken back or given up, and while there were no quotas', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(sequence, { minLength: 1, maxLength: 6 }), async (units) => {
        const store = new MemoryStore();
        for (const { steps, rolledBackFrom, isKept, hasQuotas } of units) {
          await unitOf(store, usageWith(hasQuotas ? counted : none), async (session) => {
            let point: number | undefined;
            for (const [at, each] of steps.entries()) {
              if (at === rolledBackFrom) point = session.unit.savepoint();
              await apply(session, each);
            }
            if (point !== undefined) session.unit.rollBack(point);
            return isKept;
          });
          const stored = await store.find('document', POLICY);
          for (const [id, counts] of Object.entries(await countsOf(store))) {
            const of = id === 'policy' ? stored : stored.filter(({ owner }) => id === `user/${owner}`);
            expect(counts).toEqual(sum(of));
          }
        }
        // A last change counts everything that there is.
        await unitOf(store, usageWith(counted), async (session) => {
          for (const owner of owners) await session.documents.add({ owner, document: {} });
          return true;
        });
        const all = await store.find('document', POLICY);
        expect(await countsOf(store)).toEqual({
          policy: sum(all),
          ...Object.fromEntries(owners.map((did) => [`user/${did}`, sum(all.filter(({ owner }) => owner === did))])),
        });
      }),
    );
  });

  it('is not written while there are no quotas', async () => {
    const store = new MemoryStore();
    await unitOf(store, usageWith(none), async ({ documents }) => {
      await documents.add({ owner: 'did:example:alice', document: {} });
      return true;
    });
    expect(await store.count('document-usage', POLICY)).toBe(0);
  });

  it.each([
    ['policyDocuments', 2, 'The policy has reached the quota of 2 documents'],
    ['userDocuments', 2, 'The user did:example:alice has reached the quota of 2 documents'],
    ['policyBytes', 500, 'The policy has reached the quota of 500 bytes'],
    ['userBytes', 500, 'The user did:example:alice has reached the quota of 500 bytes'],
  ] as const)('over %s, a document more is refused', async (quota, atMost, message) => {
    const store = new MemoryStore();
    const usage = usageWith({ ...none, [quota]: atMost });
    await unitOf(store, usage, async ({ documents }) => {
      const add = (): Promise<DocumentRecord> => documents.add({ owner: 'did:example:alice', document: {} });
      await add();
      const second = await add();
      await expect(add()).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED', message: expect.stringContaining(message) });
      await documents.remove(second.id);
      await add();
      return true;
    });
    const stored = sum(await store.find('document', POLICY));
    expect(stored.documents).toBe(2);
    expect(await countsOf(store)).toEqual({ policy: stored, 'user/did:example:alice': stored });
  });

  it('lets what is over a quota that was lowered shrink, and not grow', async () => {
    const store = new MemoryStore();
    await unitOf(store, usageWith(none), async ({ documents }) => {
      for (let at = 0; at < 5; at += 1) await documents.add({ id: `d${at}`, owner: 'did:example:alice', document: {} });
      return true;
    });
    await unitOf(store, usageWith({ ...none, policyDocuments: 3 }), async ({ documents }) => {
      await documents.remove('d0');
      await expect(documents.add({ owner: 'did:example:alice', document: {} })).rejects.toThrow('quota');
      return true;
    });
    expect(await store.count('document', POLICY)).toBe(4);
  });
});
