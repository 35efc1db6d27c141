/** The policy bench: a whole policy on a real engine, driven through the sessions of its users. */
import type { DefinedPolicy } from '@blockwork/blocks';
import type {
  Caller,
  DocumentRecord,
  Finding,
  JournalEntry,
  Json,
  JsonObject,
  Keys,
  PolicyEngine,
  PolicyStore,
  ProgramSchedule,
} from '@blockwork/core';
import { checkOptions } from '@blockwork/core/adapter';
import type { BlockSource } from '@blockwork/core/records';
import { BENCH_OWNER } from '../fixtures.js';
import { milliseconds, type SimulatedClock } from '../simulated-timers.js';
import { benchEngine, benchPorts, type PolicySource, startPolicy } from './bench-engine.js';
import { type Minted, mintedTokens, nothingMinted, tokenNamed } from './minted.js';
import { type PolicyBenchOptions, policyBenchShape } from './policy-bench-options.js';
import { policyBlocks, type PolicyUnderTest } from './policy-under-test.js';
import { signedCredential, type UnsignedCredential } from './signed-credential.js';
import { UserSession } from './user-session.js';
import { meets, type Where } from './where.js';

/** A credential that is submitted from outside the policy. */
export interface OutsideData {
  /** The identity for which it is submitted. */
  readonly owner: string;
  readonly document: JsonObject;
  /** The document that the credential refers to, if the policy requires one. */
  readonly ref?: Json;
}

/** The engine and ports behind a bench, for what the bench does not offer. */
export interface OpenedPolicy extends PolicyUnderTest {
  readonly store: PolicyStore;
  readonly keys: Keys;
  readonly clock: SimulatedClock;
}

/** `Policy` is the type of a policy that is written as code, or `unknown`. */
export interface PolicyBench<Policy = unknown> {
  /** The session of a user; the same name is the same user. They have no role at first: see `choose`. */
  as(name: string): UserSession<Policy>;
  /** The session of the policy's owner. */
  readonly owner: UserSession<Policy>;
  readonly clock: SimulatedClock;
  /** Advances the clock by milliseconds or `90s`, `15m`, `2h`, `1d`; scheduled work runs at its time. */
  advance(by: number | string): Promise<void>;
  /** Sends a block its scheduled tick now. */
  tick(tag: string): Promise<void>;
  /** Submits a credential from outside to a block. */
  external(tag: string, data: OutsideData): Promise<void>;
  /** Adds a valid proof by the issuer, which may be any identity, for instance `bench.as('alice').did`. */
  sign(credential: UnsignedCredential): Promise<JsonObject>;
  /** Mint totals of a token, by id, name or symbol. The name is optional if the policy has one token. */
  minted(token?: string): Promise<Minted>;
  /** Mint totals of every minted token, by id. */
  mintedTokens(): Promise<ReadonlyMap<string, Minted>>;
  /** The blocks of the policy as written, in tree order. */
  blocks(): Promise<readonly BlockSource[]>;
  /** The policy's journal, oldest entry first: one per unit of work. */
  journal(): Promise<JournalEntry[]>;
  /** Findings of the policy. */
  findings(): Promise<readonly Finding[]>;
  /** Stored documents that meet the condition, in insertion order. Default: all. */
  documents(where?: Where): Promise<DocumentRecord[]>;
  open(): Promise<OpenedPolicy>;
  close(): Promise<void>;
}

/**
 * ```ts
 * const bench = policyBench(await readFile('registry.policy'));
 * const alice = bench.as('alice');
 * await alice.choose({ role: 'Registrant' });
 * await alice.send('application_form', { document: { name: 'Solar One' }, ref: null });
 * await bench.owner.press('approve', 'Approve', await bench.owner.row('applications'));
 * expect(await bench.minted('CREDIT')).toMatchObject({ mints: 1, units: 12n });
 * ```
 * Runs are deterministic: the clock only moves when told to, ids count up, and keys derive from a fixed seed.
 * Of a policy that is written with `definePolicy`, tags and documents have types: a misspelt tag or field does not compile.
 * The standard blocks come from the optional peer `@blockwork/blocks`.
 */
export function policyBench<Policy extends DefinedPolicy>(
  source: Policy,
  options?: PolicyBenchOptions,
): PolicyBench<Policy>;
export function policyBench(source: PolicySource, options?: PolicyBenchOptions): PolicyBench;
export function policyBench(source: PolicySource, options: PolicyBenchOptions = {}): PolicyBench {
  return benchOf(options, (engine, owner) => startPolicy(engine, owner, source, options.status ?? 'dry-run'));
}

/** A bench over a policy that `options.store` already holds, as after a restart. */
export const reopenedPolicyBench = (
  policyId: string,
  options: PolicyBenchOptions & { readonly store: PolicyStore },
): PolicyBench => benchOf(options, () => Promise.resolve(policyId));

type StartPolicy = (engine: PolicyEngine, owner: Caller) => Promise<string>;

function benchOf(options: PolicyBenchOptions, startPolicyOf: StartPolicy): PolicyBench {
  checkOptions(options, policyBenchShape, 'policy bench: ');
  const ports = benchPorts(options);
  const { store, clock } = ports;
  const owner: Caller = { did: BENCH_OWNER, username: 'owner', role: 'STANDARD_REGISTRY' };
  const gateway: Caller = { did: 'did:bench:gateway', permissions: ['POLICIES_EXTERNAL_DATA_CREATE'] };
  const start = async (): Promise<OpenedPolicy> => {
    const engine = await benchEngine(ports, options);
    return { ...ports, engine, owner, policyId: await startPolicyOf(engine, owner) };
  };
  let started: Promise<OpenedPolicy> | undefined;
  const open = (): Promise<OpenedPolicy> => (started ??= start());
  const session = (caller: Caller): UserSession => new UserSession(caller, open);
  const ownerSession = session(owner);

  return {
    as: (name) => (name === 'owner' ? ownerSession : session({ did: didOf(name), username: name, role: 'USER' })),
    owner: ownerSession,
    clock,
    advance: async (by) => advanceClock((await open()).engine.program.schedule, clock, by),
    tick: async (tag) => {
      const { engine, policyId } = await open();
      await engine.program.schedule.tick(policyId, tag);
    },
    external: async (tag, data) => {
      const { engine, policyId } = await open();
      await engine.submitExternal(gateway, data, { policyId, tag });
    },
    sign: (credential) => signedCredential(ports, credential),
    minted: async (token) => {
      const { engine, policyId } = await open();
      const id = tokenNamed(await engine.program.ledger.listTokens(policyId), token);
      return (await mintedTokens(store, policyId)).get(id) ?? nothingMinted;
    },
    mintedTokens: async () => mintedTokens(store, (await open()).policyId),
    blocks: async () => policyBlocks(await open()),
    journal: async () => {
      const { engine, policyId } = await open();
      return allPages((range) => engine.journal.list(owner, policyId, range));
    },
    findings: async () => {
      const { engine, policyId } = await open();
      return engine.getFindings(owner, policyId);
    },
    documents: async (where = {}) => {
      const all = await store.find('document', (await open()).policyId);
      return all.filter((document) => meets(document, where));
    },
    open,
    close: async () => {
      if (started === undefined) return;
      await started.then(
        ({ engine }) => engine.close(),
        () => undefined,
      );
    },
  };
}

/** Everything of a list that is read in pages. */
async function allPages<Item>(
  page: (range: { offset: number; limit: number }) => Promise<{ readonly items: readonly Item[] }>,
): Promise<Item[]> {
  const all: Item[] = [];
  for (;;) {
    const { items } = await page({ offset: all.length, limit: 1000 });
    all.push(...items);
    if (items.length < 1000) return all;
  }
}

const didOf = (name: string): string => `did:bench:${encodeURIComponent(name)}`;

/** Beyond this many runs at one moment, something reschedules itself without a delay. */
const MAX_RUNS_AT_ONE_MOMENT = 1000;

async function advanceClock(
  schedule: Pick<ProgramSchedule, 'getNextDue' | 'runDue'>,
  clock: SimulatedClock,
  by: number | string,
): Promise<void> {
  const end = clock.now() + milliseconds(by);
  let runs = 0;
  for (let due = await schedule.getNextDue(); due !== null && due <= end; due = await schedule.getNextDue()) {
    runs = due > clock.now() ? 0 : runs + 1;
    if (runs > MAX_RUNS_AT_ONE_MOMENT)
      throw new Error(
        `More than ${MAX_RUNS_AT_ONE_MOMENT} runs are due at ${isoAt(clock.now())}: a block reschedules itself without a delay.`,
      );
    clock.advance(Math.max(0, due - clock.now()));
    await schedule.runDue();
  }
  clock.advance(end - clock.now());
}

const isoAt = (moment: number): string => new Date(moment).toISOString();
