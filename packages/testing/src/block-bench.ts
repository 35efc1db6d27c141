/** The block bench: one block in a small policy on a real engine, worked with as users would. */
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
import { fromLegacy, isLegacy, type AnyBlockType } from '@blockwork/core/block';
import { EventRecorder, EventTrigger, type EmittedEvent } from './bench-blocks.js';
import { benchPolicy, documentsOf, tagOf, TRIGGER } from './bench-policy.js';
import type { BenchSetup, BenchUser } from './bench-setup.js';
import { BENCH_OWNER } from './fixtures.js';
import { BenchMembers } from './bench-members.js';
import { SequentialIds } from './sequential-ids.js';
import { SimulatedClock } from './simulated-clock.js';

export type { EmittedEvent } from './bench-blocks.js';

/** One user, in front of the block. Each method throws what the engine would. */
export interface BenchSeat {
  /** What the block shows; `query` counts for this read only. */
  read(query?: Readonly<Record<string, string>>): Promise<Json>;
  /** Gives data to the block. */
  send(data: unknown): Promise<Json>;
  /** Sends the block an input event in this user's name. */
  event(input: string, data?: Json): Promise<void>;
  availability(): Promise<Availability>;
  /** The same user before another block of the bench's policy. */
  at(tag: string): BenchSeat;
}

export interface BlockBench {
  as(user: string | BenchUser): BenchSeat;
  /** Everything the block has emitted, in order. Events of a unit that failed are among them. */
  readonly emitted: readonly EmittedEvent[];
  readonly clock: SimulatedClock;
  /** What the engine found in the policy: the block's own `check` included. */
  findings(): Promise<readonly Finding[]>;
  /** All stored documents, in the order in which they were added. */
  documents(): Promise<DocumentRecord[]>;
  /** The engine itself, and the policy's id, for what the bench does not offer. */
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
export function blockBench(type: AnyBlockType, setup: BenchSetup = {}): BlockBench {
  const block = isLegacy(type) ? fromLegacy(type) : type;
  const emitted: EmittedEvent[] = [];
  const clock = new SimulatedClock();
  const ids = new SequentialIds();
  const store = new MemoryStore();
  const owner: Caller = { did: BENCH_OWNER, role: 'STANDARD_REGISTRY' };
  const blocks = [...(setup.blocks ?? []), block, EventTrigger, new EventRecorder(emitted)];
  const engine = createEngine({ store, clock, ids, blocks });

  const begin = async (): Promise<{ policyId: string; findings: readonly Finding[] }> => {
    const { policy, findings } = await engine.importPolicy(owner, benchPolicy(block, setup, ids));
    await engine.program.documents.add(policy.id, documentsOf(setup));
    return { policyId: policy.id, findings };
  };
  let begun: ReturnType<typeof begin> | undefined;
  const ready = (): ReturnType<typeof begin> => (begun ??= begin());
  const members = new BenchMembers(store, clock);

  const seat = (user: BenchUser, tag: string): BenchSeat => {
    const enter = async (): Promise<{ caller: Caller; policyId: string }> => {
      const { policyId } = await ready();
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
      at: (other) => seat(user, other),
    };
  };

  return {
    as: (user) => seat(typeof user === 'string' ? { role: user } : user, tagOf(setup)),
    emitted,
    clock,
    findings: async () => (await ready()).findings,
    documents: async () => store.find('document', (await ready()).policyId),
    open: async () => ({ engine, policyId: (await ready()).policyId, owner }),
    close: () => engine.close(),
  };
}
