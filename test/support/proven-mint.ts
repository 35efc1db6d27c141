/** A published policy in which a member reports, the registry approves and a token is minted; and the proofs of it. */
import { readFileSync } from 'node:fs';
import { standardBlocks } from '@blockwork/blocks';
import {
  createEngine,
  silentLogger,
  type Caller,
  type EngineOptions,
  type PolicyEngine,
  type ProofBundle,
} from '@blockwork/core';
import { SequentialIds, SimulatedClock, SimulatedTimers } from '@blockwork/testing';

const file = new URL('../../examples/test-a-policy/sunlight.policy.json', import.meta.url);

export const registry: Caller = { did: 'did:example:registry', role: 'STANDARD_REGISTRY' };
export const auditor: Caller = { did: 'did:example:auditor', role: 'AUDITOR' };
export const alice: Caller = { did: 'did:example:alice', role: 'USER' };

interface Block {
  tag: string;
  blockType: string;
  children?: Block[];
  [option: string]: unknown;
}

interface Row {
  readonly option: Readonly<Record<string, unknown>>;
}

export interface Proven {
  readonly engine: PolicyEngine;
  readonly policyId: string;
  /** Of the mint, and of the report that it is for. */
  readonly mint: ProofBundle;
  readonly report: ProofBundle;
}

interface PolicyFile {
  readonly config: Block;
  readonly schemas: Record<string, unknown>[];
}

/** `change` edits the blocks, and `edit` the file, before the policy is imported. */
export async function provenMint(
  change: (blocks: Block[]) => void = () => undefined,
  options: Pick<EngineOptions, 'keys' | 'ledger' | 'limits' | 'linkedData' | 'proofs' | 'store'> = {},
  edit: (policy: PolicyFile) => void = () => undefined,
): Promise<Proven> {
  const policy = JSON.parse(readFileSync(file, 'utf8')) as PolicyFile;
  const blocks = blocksIn(policy.config);
  // Reports are on the ledger, so that the mint builds on their messages.
  for (const block of blocks.filter(({ tag }) => tag.startsWith('save_'))) {
    Object.assign(block, { dataSource: 'auto', topic: 'root' });
  }
  change(blocks);
  edit(policy);
  const clock = new SimulatedClock();
  const engine = createEngine({
    ...options,
    blocks: standardBlocks(),
    clock,
    ids: new SequentialIds(),
    logger: silentLogger,
    timers: new SimulatedTimers(clock),
  });
  const imported = await engine.importPolicy(registry, policy);
  const policyId = imported.policy.id;
  const { isValid, findings } = await engine.lifecycle.publish(registry, policyId, '1.0.0');
  if (!isValid) throw new Error(JSON.stringify(findings));
  const pass = async (): Promise<void> => {
    await engine.program.ledger.idle();
    clock.advance(60_000);
  };
  await pass();
  await engine.sendToBlock(alice, policyId, { tag: 'choose_role' }, { role: 'Producer' });
  for (const kilowattHours of [12.5, 7]) {
    await pass();
    const document = { site: 'Roof', kilowattHours };
    await engine.sendToBlock(alice, policyId, { tag: 'report' }, { document, ref: null });
    await pass();
    const grid = await engine.readBlock<{ data: Row[] }>(registry, policyId, { tag: 'all_reports' });
    const row = grid.data.find(({ option }) => option.status === 'Waiting');
    const approved = { ...row, option: { ...row?.option, status: 'Approved' } };
    await engine.sendToBlock(registry, policyId, { tag: 'decide' }, { tag: 'Approve', document: approved });
  }
  const presentations = await engine.documents.list(registry, policyId, { dataType: 'vp-documents' });
  const reports = await engine.documents.list(registry, policyId, { type: 'report' });
  return {
    engine,
    policyId,
    mint: await engine.tokens.bundle(registry, policyId, presentations.items[0]?.id ?? ''),
    report: await engine.documents.bundle(registry, policyId, reports.items[0]?.id ?? ''),
  };
}

const blocksIn = (block: Block): Block[] => [block, ...(block.children ?? []).flatMap(blocksIn)];
