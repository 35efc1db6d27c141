/** The block bench: one block in a small policy on a real engine, driven through sessions of users. */
import {
  createEngine,
  MemoryStore,
  type Availability,
  type Caller,
  type DocumentRecord,
  type Finding,
  type Json,
  type PolicyEngine,
} from '@blockwork/core';
import { checkOptions } from '@blockwork/core/adapter';
import type { BlockType } from '@blockwork/core/block';
import { eventRecorder, eventTrigger, type EmittedEvent } from './bench-blocks.js';
import { benchPolicy, documentsOf, tagOf, TRIGGER } from './bench-policy.js';
import { benchSetupShape, type BenchSetup, type BenchUser } from './bench-setup.js';
import { BENCH_OWNER } from './fixtures.js';
import { BenchMembers } from './bench-members.js';
import { SequentialIds } from './sequential-ids.js';
import { SimulatedClock } from './simulated-clock.js';

export type { EmittedEvent } from './bench-blocks.js';

/** A user's session with the block. Each method throws what the engine throws. */
export interface BlockSession {
  /** Reads the block; `query` applies to this read only. */
  read(query?: Readonly<Record<string, string>>): Promise<Json>;
  /** Sends data to the block. */
  send(data: unknown): Promise<Json>;
  /** Sends the block an input event on behalf of this user. */
  event(input: string, data?: Json): Promise<void>;
  availability(): Promise<Availability>;
  /** A session of the same user with another block. */
  at(tag: string): BlockSession;
}

export interface BlockBench {
  as(user: string | BenchUser): BlockSession;
  /** Everything the block has emitted, in order, including events of failed units. */
  readonly emitted: readonly EmittedEvent[];
  readonly clock: SimulatedClock;
  /** Findings of the policy, including those of the block's `check`. */
  findings(): Promise<readonly Finding[]>;
  /** All stored documents in insertion order. */
  documents(): Promise<DocumentRecord[]>;
  /** The engine and the policy's id, for what the bench does not offer. */
  open(): Promise<{ engine: PolicyEngine; policyId: string; owner: Caller }>;
  close(): Promise<void>;
}

/**
 * ```ts
 * const bench = blockBench(paginationAddon(), { parent: gridWith(documents(23)) });
 * await bench.as('Installer').send({ itemsPerPage: 5, page: 2 });
 * expect(await bench.as('Installer').read()).toEqual({ size: 23, itemsPerPage: 5, page: 2 });
 * ```
 */
export function blockBench(block: BlockType, setup: BenchSetup = {}): BlockBench {
  checkOptions(setup, benchSetupShape, 'block bench: ');
  const emitted: EmittedEvent[] = [];
  const clock = new SimulatedClock();
  const ids = new SequentialIds();
  const store = new MemoryStore();
  const owner: Caller = { did: BENCH_OWNER, role: 'STANDARD_REGISTRY' };
  const blocks = [...(setup.blocks ?? []), block, eventTrigger, eventRecorder(emitted)];
  const engine = createEngine({
    store,
    clock,
    ids,
    blocks,
    drafts: 'shared',
    ...(setup.secrets && { secrets: setup.secrets }),
  });

  const start = async (): Promise<{ policyId: string; findings: readonly Finding[] }> => {
    const { policy, findings } = await engine.importPolicy(owner, benchPolicy(block, setup, ids));
    await engine.program.documents.add(policy.id, documentsOf(setup));
    return { policyId: policy.id, findings };
  };
  let startedOnce: ReturnType<typeof start> | undefined;
  const started = (): ReturnType<typeof start> => (startedOnce ??= start());
  const members = new BenchMembers(store, clock);

  const session = (user: BenchUser, tag: string): BlockSession => {
    const enter = async (): Promise<{ caller: Caller; policyId: string }> => {
      const { policyId } = await started();
      return { caller: await members.enter(policyId, user), policyId };
    };
    return {
      read: async (query = {}) => {
        const { caller, policyId } = await enter();
        return engine.readBlock(caller, policyId, { tag }, query);
      },
      send: async (data) => {
        const { caller, policyId } = await enter();
        return engine.sendToBlock(caller, policyId, { tag }, data);
      },
      event: async (input, data = null) => {
        const { caller, policyId } = await enter();
        await engine.sendToBlock(caller, policyId, { tag: TRIGGER }, { target: tag, input, data });
      },
      availability: async () => {
        const { caller, policyId } = await enter();
        return engine.getAvailability(caller, policyId, { tag });
      },
      at: (other) => session(user, other),
    };
  };

  return {
    as: (user) => session(typeof user === 'string' ? { role: user } : user, tagOf(setup)),
    emitted,
    clock,
    findings: async () => (await started()).findings,
    documents: async () => store.find('document', (await started()).policyId),
    open: async () => ({ engine, policyId: (await started()).policyId, owner }),
    close: () => engine.close(),
  };
}
