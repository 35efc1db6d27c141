/** The approval on Blockwork. */
import { standardBlocks } from '@blockwork/blocks';
import { createEngine, DerivedAccounts, SeededKeys } from '@blockwork/core';
import { policy } from './blockwork-policy.mjs';

const owner = { did: 'did:example:registry', role: 'STANDARD_REGISTRY' };
const reviewer = { did: 'did:example:reviewer', role: 'USER' };
const applicant = (flow) => ({ did: `did:example:${flow}`, role: 'USER' });

export async function openEngine(store) {
  const keys = new SeededKeys(Buffer.alloc(32, 7));
  const engine = createEngine({ store, keys, blocks: standardBlocks() });
  const policyId = await policyOf(engine);
  const documents = new Map();
  return {
    async apply(flow) {
      const data = { document: { flow }, ref: null };
      const saved = await engine.sendToBlock(applicant(flow), policyId, { tag: 'apply' }, data, {
        idempotencyKey: flow,
      });
      documents.set(flow, saved.id);
    },
    async approve(flow, step) {
      const document = { id: documents.get(flow) ?? (await documentOf(flow)).id };
      const by = step === 10 ? owner : reviewer;
      await engine.sendToBlock(by, policyId, { tag: `approve_${step}` }, { tag: 'Approve', document });
    },
    async state(flow) {
      const { option } = (await documentOf(flow)) ?? {};
      const account = await new DerivedAccounts().accountOf(applicant(flow).did);
      const { balance } = await engine.program.ledger.getRelation(policyId, '0.0.5001', account);
      return { step: Number(option?.status.slice('Step '.length) ?? 0), certificates: Number(balance) };
    },
    close: () => engine.close(),
  };

  async function documentOf(flow) {
    const query = { owner: applicant(flow).did, type: 'application', limit: 1 };
    const { items } = await engine.documents.list(owner, policyId, query);
    return items[0];
  }
}

/** The policy of the store, or one that is imported now. */
async function policyOf(engine) {
  const { items } = await engine.listPolicies(owner);
  if (items.length > 0) return items[0].id;
  const { policy: imported, findings } = await engine.importPolicy(owner, policy);
  if (findings.length > 0) throw new Error(JSON.stringify(findings));
  await engine.sendToBlock(reviewer, imported.id, { tag: 'choose_role' }, { role: 'Reviewer' });
  return imported.id;
}
