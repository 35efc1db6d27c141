/** The policy bench: a whole policy on a real engine, worked with as its users would. */
import type {
  Caller,
  DocumentRecord,
  Finding,
  Json,
  JournalEntry,
  JsonObject,
  Keys,
  PolicyEngine,
  PolicyStore,
} from '@blockwork/core';
import { BENCH_OWNER } from '../fixtures.js';
import { type SimulatedClock } from '../simulated-clock.js';
import { beginPolicy, benchEngine, benchParts, type PolicySource } from './bench-engine.js';
import { mintedTokens, nothingMinted, tokenNamed, type Minted } from './minted.js';
import { advanceClock } from './passing-time.js';
import type { PolicyBenchOptions } from './policy-bench-options.js';
import { PolicySeat, type PolicyInUse } from './policy-seat.js';
import { signedCredential, type UnsignedCredential } from './signed-credential.js';
import { meets, type Where } from './where.js';

/** A credential from outside, and for whom it is handed in. */
export interface OutsideData {
  /** The identity that it is handed in for. */
  readonly owner: string;
  readonly document: JsonObject;
  /** What the credential refers to, where the policy asks for that. */
  readonly ref?: Json;
}

/** Everything of a bench, for what it does not offer itself. */
export interface OpenedPolicy extends PolicyInUse {
  readonly store: PolicyStore;
  readonly keys: Keys;
  readonly clock: SimulatedClock;
}

export interface PolicyBench {
  /** A user by name; the same one every time. Has no role yet: see `choose`. */
  as(name: string): PolicySeat;
  /** The owner of the policy. */
  readonly owner: PolicySeat;
  readonly clock: SimulatedClock;
  /** Lets time go by, `90s`, `15m`, `2h`, `1d` or milliseconds: what becomes due on the way happens at its moment. */
  advance(by: number | string): Promise<void>;
  /** Wakes a block now, whatever its timetable says. */
  tick(tag: string): Promise<void>;
  /** Hands a credential from outside to a block. */
  external(tag: string, data: OutsideData): Promise<void>;
  /** Gives a credential a proof that verifies, by its issuer: any identity, `bench.as('alice').did` for instance. */
  sign(credential: UnsignedCredential): Promise<JsonObject>;
  /** What was minted of a token: by its id, name or symbol; the name may be left out where there is one token. */
  minted(token?: string): Promise<Minted>;
  /** What happened, oldest first: one entry for each unit of work. */
  journal(): Promise<JournalEntry[]>;
  /** What the author of the policy should look at. */
  findings(): Promise<readonly Finding[]>;
  /** Stored documents in the order in which they were added: those that meet the condition, all when absent. */
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
 * Every run is the same: the clock stands still, ids count up, keys come from a seed that everybody knows.
 */
export function policyBench(source: PolicySource, options: PolicyBenchOptions = {}): PolicyBench {
  return benchOf(options, (engine, owner) => beginPolicy(engine, owner, source, options.status ?? 'dry-run'));
}

/** A bench over a policy that is in `options.store` already, as after a restart; nothing is imported or started. */
export const reopenedPolicyBench = (
  policyId: string,
  options: PolicyBenchOptions & { readonly store: PolicyStore },
): PolicyBench => benchOf(options, () => Promise.resolve(policyId));

type Begin = (engine: PolicyEngine, owner: Caller) => Promise<string>;

function benchOf(options: PolicyBenchOptions, begin: Begin): PolicyBench {
  const parts = benchParts(options);
  const { store, clock } = parts;
  const owner: Caller = { did: BENCH_OWNER, username: 'owner', role: 'STANDARD_REGISTRY' };
  const gateway: Caller = { did: 'did:bench:gateway', permissions: ['POLICIES_EXTERNAL_DATA_CREATE'] };
  const start = async (): Promise<OpenedPolicy> => {
    const engine = await benchEngine(parts, options);
    return { ...parts, engine, owner, policyId: await begin(engine, owner) };
  };
  let started: Promise<OpenedPolicy> | undefined;
  const open = (): Promise<OpenedPolicy> => (started ??= start());
  const seat = (caller: Caller): PolicySeat => new PolicySeat(caller, open);
  const ownerSeat = seat(owner);

  return {
    as: (name) => (name === 'owner' ? ownerSeat : seat({ did: didOf(name), username: name, role: 'USER' })),
    owner: ownerSeat,
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
    sign: (credential) => signedCredential(parts, credential),
    minted: async (token) => {
      const { engine, policyId } = await open();
      const id = tokenNamed(await engine.program.ledger.listTokens(policyId), token);
      return (await mintedTokens(store, policyId)).get(id) ?? nothingMinted;
    },
    journal: async () => {
      const { engine, policyId } = await open();
      return (await engine.getJournal(owner, policyId)).items;
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

const didOf = (name: string): string => `did:bench:${encodeURIComponent(name)}`;
