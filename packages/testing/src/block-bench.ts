/** The block bench: one block in a small policy on a real engine, driven through sessions of users. */
import {
  type Availability,
  type Caller,
  type Clock,
  createEngine,
  type DocumentRecord,
  type Finding,
  type Ids,
  isBlockworkError,
  type Json,
  MemoryStore,
  type PolicyEngine,
  type PolicyStore,
} from '@blockwork/core';
import { checkOptions } from '@blockwork/core/adapter';
import { type BlockType, type DocumentInput, type Membership, REFRESH, RUN } from '@blockwork/core/block';
import { z } from 'zod';
import { type EmittedEvent, eventRecorder, eventTrigger } from './bench-blocks.js';
import { type BenchSetup, benchSetupShape, type BenchUser, type BlockFragment } from './bench-setup.js';
import { BENCH_OWNER } from './fixtures.js';
import { SequentialIds } from './sequential-ids.js';
import { SimulatedClock } from './simulated-timers.js';

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

class BenchMembers {
  constructor(
    private readonly store: PolicyStore,
    private readonly clock: Clock,
  ) {}

  /** Makes the requested membership the user's active one and returns the caller. */
  async enter(policyId: string, { role = 'NO_ROLE', did, group }: BenchUser): Promise<Caller> {
    const identity = did ?? (role === 'OWNER' ? BENCH_OWNER : `did:bench:${role.toLowerCase()}`);
    const requested = role === 'OWNER' || role === 'NO_ROLE' ? null : this.#membership(policyId, identity, role, group);
    await this.#activate(policyId, identity, requested);
    return { did: identity, role: role === 'OWNER' ? 'STANDARD_REGISTRY' : 'USER' };
  }

  async #activate(policyId: string, did: string, requested: Membership | null): Promise<void> {
    const revision = await this.store.revision(policyId);
    const memberships = await this.store.find('membership', policyId, { where: { path: 'did', op: 'eq', value: did } });
    const deactivated = memberships
      .filter(({ id, active }) => active && id !== requested?.id)
      .map((other) => ({ ...other, active: false }));
    const isActive = memberships.some(({ id, active }) => active && id === requested?.id);
    const changed = requested === null || isActive ? deactivated : [...deactivated, requested];
    if (changed.length === 0) return;
    const changes = changed.map((value) => ({ op: 'put', kind: 'membership', partition: policyId, value }) as const);
    try {
      await this.store.commit({ expect: { [policyId]: revision }, changes });
    } catch (error) {
      if (!isBlockworkError(error, 'CONFLICT')) throw error;
      await this.#activate(policyId, did, requested);
    }
  }

  #membership(policyId: string, did: string, role: string, group: string | undefined): Membership {
    const uuid = group ?? `${did}/${role}`;
    return {
      id: `${uuid}/${did}`,
      uuid,
      policyId,
      did,
      owner: did,
      role,
      groupName: role,
      groupLabel: role,
      groupRelationshipType: group === undefined ? 'Single' : 'Multiple',
      groupAccessType: 'Private',
      active: true,
      createDate: new Date(this.clock.now()).toISOString(),
    };
  }
}

const TRIGGER = 'bench-trigger';
const RECORDER = 'bench-recorder';

/** The content of a `policy.json`. */
function benchPolicy(block: BlockType, setup: BenchSetup, ids: Ids): object {
  const complete = (fragment: BlockFragment): object => {
    const { documents: _documents, children = [], ...written } = fragment;
    return {
      permissions: ['ANY_ROLE'],
      defaultActive: true,
      uiMetaData: {},
      id: ids.uuid(),
      tag: '',
      ...written,
      children: children.map(complete),
    };
  };
  const tested: BlockFragment = {
    ...setup.options,
    tag: tagOf(setup),
    blockType: block.type,
    children: setup.children ?? [],
  };
  const events = outputsOf(block, setup).map((output) => ({
    source: tagOf(setup),
    output,
    target: RECORDER,
    input: 'RunEvent',
    actor: '',
  }));
  const own = Array.isArray(setup.options?.['events']) ? (setup.options['events'] as readonly unknown[]) : [];
  const testedBlock: BlockFragment = { ...tested, events: [...events, ...own], stopPropagation: true };
  const around =
    setup.parent === undefined
      ? testedBlock
      : { ...setup.parent, children: [...(setup.parent.children ?? []), testedBlock] };
  return {
    name: `Bench of ${block.type}`,
    description: '',
    topicDescription: '',
    policyRoles: setup.roles ?? [],
    policyGroups: setup.groups ?? [],
    ...setup.policy,
    config: complete({
      blockType: 'interfaceContainerBlock',
      tag: 'root',
      children: [
        around,
        { blockType: 'benchEventTrigger', tag: TRIGGER },
        { blockType: 'benchEventRecorder', tag: RECORDER, defaultActive: false },
      ],
    }),
  };
}

/** The tag of the block under test. */
const tagOf = (setup: BenchSetup): string => {
  const tag = setup.options?.['tag'];
  return typeof tag === 'string' ? tag : 'block';
};

/** All documents of the set-up, including those of fragments. */
const documentsOf = (setup: BenchSetup): DocumentInput[] => {
  const within = (fragment: BlockFragment): DocumentInput[] => [
    ...(fragment.documents ?? []),
    ...(fragment.children ?? []).flatMap(within),
  ];
  const fragments = [...(setup.parent === undefined ? [] : [setup.parent]), ...(setup.children ?? [])];
  return [...fragments.flatMap(within), ...(setup.documents ?? [])];
};

function outputsOf(block: BlockType, setup: BenchSetup): string[] {
  const { outputs = [], options = z.unknown() } = block;
  const parsed = options.safeParse(setup.options ?? {});
  const childTags = (setup.children ?? []).map(({ tag = '' }) => tag).filter((tag) => tag !== '');
  const declared = typeof outputs === 'function' ? (parsed.success ? outputs(parsed.data, childTags) : []) : outputs;
  return [...new Set([RUN, REFRESH, ...declared])];
}
