/** Explores a policy: plays it with random but valid users, and reports what can happen in it. */
import type { Json } from '@blockwork/core';
import { checkOptions, type OptionsOf, optionTypes } from '@blockwork/core/adapter';
import { isObject, type PolicyTree } from '@blockwork/core/block';
import type { PolicyBenchOptions, PolicySource } from '@blockwork/testing';
import { keyOf } from './document-tracks.js';
import type { DeadEnd, Exploration, Incident, InvariantResult, MintedTwice } from './exploration.js';
import { Guidance } from './guidance/guidance.js';
import { Habits } from './habits.js';
import type { Found } from './incidents.js';
import { type Invariant, readInvariant } from './invariants.js';
import type { Move } from './move.js';
import { Observer } from './observer.js';
import { unreachableBlocks } from './reach/unreachable.js';
import { replay, type Replay, type Stage } from './replay.js';
import { Random } from './sample-data/random.js';
import type { ScenarioStep } from './scenario/script.js';
import { coverageOf } from './unreached.js';
import { type Lessons, Walk } from './walk.js';
import { ExploredPolicy } from './world/explored-policy.js';
import type { Outcome } from './world/policy-world.js';

const shape = {
  /** The same seed gives the same walk. Default: 1. */
  seed: optionTypes.wholeNumber(-(2 ** 31), 2 ** 32),
  /** Maximum number of moves, including refused ones. Default: 1000. */
  steps: optionTypes.wholeNumber(1, 10_000_000),
  /** Users besides the owner. Default: three for each role, at least 4 and at most 12. */
  users: optionTypes.wholeNumber(1, 100),
  /** Conditions that must hold after every move. */
  invariants: optionTypes.as<readonly Invariant[]>(optionTypes.list()),
  /** Moves before the policy is restarted from scratch. Default: 250. */
  walk: optionTypes.wholeNumber(1, 100_000),
  /** Maximum replays used to shorten the way to each finding. Default: 60; 0 disables shortening. */
  tries: optionTypes.wholeNumber(0, 10_000),
  /** Status, further blocks and limits of the policy, as for `policyBench`. */
  bench: optionTypes.as<Pick<PolicyBenchOptions, 'status' | 'blocks' | 'limits'>>(optionTypes.object),
  /** Called periodically with the number of moves made. */
  onProgress: optionTypes.as<(steps: number) => void>(optionTypes.function),
};

export type ExploreOptions = OptionsOf<typeof shape>;

/**
 * Plays a policy with random but valid users: they take roles, found groups, fill in forms with data generated from
 * their schemas, press buttons on rows, vote, open reports; devices submit credentials, and timers fire. Every walk begins with
 * a fresh policy. `source`: a `.policy` archive as bytes, or the content of its `policy.json`.
 *
 * ```ts
 * const { coverage, deadEnds, failures } = await explorePolicy(await readFile('registry.policy'), {
 *   seed: 1,
 *   steps: 2000,
 *   invariants: ['expect minted <= approved', 'only Verifier approves'],
 * });
 * ```
 * Runs are deterministic: the same policy, options and seed give the same report. Throws the errors of `policyBench` for a
 * policy with errors, and throws for invalid options and invariants.
 */
export async function explorePolicy(source: PolicySource, options: ExploreOptions = {}): Promise<Exploration> {
  checkOptions(options, shape, 'explorePolicy: ');
  const invariants = (options.invariants ?? []).map(readInvariant);
  const policy = new ExploredPolicy(source, options.bench ?? {});
  try {
    return await explored(policy, invariants, options);
  } finally {
    await policy.close();
  }
}

async function explored(
  policy: ExploredPolicy,
  invariants: Stage['invariants'],
  { seed = 1, steps = 1000, walk = 250, tries = 60, ...options }: ExploreOptions,
): Promise<Exploration> {
  const { tree, opened } = await policy.open();
  const { name } = await opened.engine.getPolicy(opened.owner, opened.policyId);
  const users = options.users ?? Math.min(12, Math.max(4, tree.roles.length * 3));
  const stage: Stage = { policy, users, invariants };
  const observer = new Observer(invariants);
  const obstacles = unreachableBlocks(tree);
  const lessons: Lessons = {
    observer,
    habits: new Habits(),
    guidance: new Guidance(tree),
    obstacles: new Map([...obstacles].map(([node, obstacle]) => [node.tag, obstacle])),
  };
  const done = await walkAll(stage, { seed, steps, walk }, lessons, options.onProgress);
  const findings = new Findings(stage, observer, tries);
  return {
    policy: name,
    seed,
    ...done,
    users,
    coverage: coverageOf(tree, lessons),
    deadEnds: await findings.deadEnds(tree),
    refusals: await findings.incidents('refusal'),
    failures: await findings.incidents('failure'),
    internalErrors: await findings.incidents('internal'),
    minted: observer.minting.report(),
    mintedTwice: await findings.mintedTwice(),
    invariants: await findings.invariants(),
  };
}

/** A walk with fewer moves than this ended because there was nothing to do. */
const FEW_MOVES = 5;
const FEW_MOVES_AT_MOST = 5;

async function walkAll(
  stage: Stage,
  { seed, steps, walk }: { readonly seed: number; readonly steps: number; readonly walk: number },
  lessons: Lessons,
  onProgress: (steps: number) => void = () => undefined,
): Promise<{ steps: number; walks: number }> {
  let [stepsMade, walks, barren] = [0, 0, 0];
  // Avoids restarting a policy that offers few moves.
  while (stepsMade < steps && barren < FEW_MOVES_AT_MOST) {
    const current = new Walk(await stage.policy.start(stage.users), new Random(seed + walks * 7919), lessons);
    const most = Math.min(walk, steps - stepsMade);
    let moves = 0;
    while (moves < most && (await current.step())) {
      moves += 1;
      if ((stepsMade + moves) % 100 === 0) onProgress(stepsMade + moves);
      if (moves % 100 === 0) await current.lookAround();
    }
    await current.lookAround();
    stepsMade += moves;
    walks += 1;
    barren += moves < FEW_MOVES ? 1 : 0;
  }
  return { steps: stepsMade, walks };
}

/** The findings of an exploration, each with the shortest way to it as a script. */
class Findings {
  constructor(
    private readonly stage: Stage,
    private readonly observer: Observer,
    private readonly tries: number,
  ) {}

  async incidents(kind: Found['kind']): Promise<Incident[]> {
    const incidents: Incident[] = [];
    for (const { code, block, message, times, by, path } of this.observer.incidents.of(kind)) {
      const isThere = ({ observer }: Replay): boolean =>
        observer.incidents.of(kind).some((each) => each.code === code && each.block === block);
      incidents.push({ code, block, message, times, by: [...by].sort(), scenario: await this.#script(path, isThere) });
    }
    return incidents;
  }

  async deadEnds(tree: PolicyTree): Promise<DeadEnd[]> {
    const deadEnds: DeadEnd[] = [];
    for (const { state, reason, certain } of this.observer.documents.deadEnds(tree)) {
      const key = keyOf(state.example);
      const isThere = ({ observer }: Replay): boolean => observer.documents.hasState(key);
      const { type, status, documents, path } = state;
      deadEnds.push({ type, status, documents, reason, certain, scenario: await this.#script(path, isThere) });
    }
    return deadEnds;
  }

  async mintedTwice(): Promise<MintedTwice[]> {
    const mints: MintedTwice[] = [];
    for (const [key, { token, blocks, times, path }] of this.observer.doubleMints) {
      const isThere = ({ observer }: Replay): boolean => observer.doubleMints.has(key);
      mints.push({ token, blocks, times, scenario: await this.#script(path, isThere) });
    }
    return mints;
  }

  async invariants(): Promise<InvariantResult[]> {
    const results: InvariantResult[] = [];
    for (const { name } of this.stage.invariants) {
      const broken = this.observer.broken.get(name);
      if (broken === undefined) {
        results.push({ invariant: name, held: true });
        continue;
      }
      const isThere = ({ observer }: Replay): boolean => observer.broken.has(name);
      const scenario = await this.#script(broken.path, isThere);
      results.push({ invariant: name, held: false, reason: broken.reason, scenario });
    }
    return results;
  }

  async #script(path: readonly Move[], isThere: (replayed: Replay) => boolean): Promise<ScenarioStep[]> {
    const short = await shorten(path, this.tries, async (moves) => isThere(await replay(this.stage, moves)));
    return scriptOf(await replay(this.stage, short));
  }
}

/**
 * The shortest way found for which `isThere` still resolves to true; the last move is always kept. `tries` bounds the
 * number of replays.
 */
async function shorten(
  path: readonly Move[],
  tries: number,
  isThere: (moves: readonly Move[]) => Promise<boolean>,
): Promise<readonly Move[]> {
  const last = path.at(-1);
  if (last === undefined) return path;
  let left = tries;
  let candidate = path.slice(0, -1);
  const attempt = async (shorter: readonly Move[]): Promise<boolean> => {
    if (left <= 0) return false;
    left -= 1;
    if (!(await isThere([...shorter, last]))) return false;
    candidate = [...shorter];
    return true;
  };
  // First try to omit all moves of uninvolved players.
  for (const user of new Set(candidate.map((move) => move.user))) {
    await attempt(candidate.filter((move) => move.user !== user));
  }
  for (const block of new Set(candidate.map((move) => move.block))) {
    await attempt(candidate.filter((move) => move.block !== block));
  }
  await leaveOutParts(
    () => candidate,
    attempt,
    () => left > 0,
  );
  return [...candidate, last];
}

/** Ever smaller chunks, from the end, since late moves are the least likely to matter. */
async function leaveOutParts(
  rest: () => readonly Move[],
  attempt: (shorter: readonly Move[]) => Promise<boolean>,
  mayTry: () => boolean,
): Promise<void> {
  for (let size = Math.ceil(rest().length / 2); size >= 1 && mayTry(); size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let end = rest().length; end > 0 && mayTry(); end -= size) {
      const moves = rest();
      await attempt([...moves.slice(0, Math.max(0, end - size)), ...moves.slice(end)]);
    }
  }
}

/** Passes against the same policy as long as the finding persists. */
function scriptOf({ done }: Replay): ScenarioStep[] {
  const steps = done.flatMap(({ move, outcome }, at) => stepsOf(move, outcome, `row${String(at + 1)}`));
  return steps.map((step, at) => ({ n: at + 1, ...step }));
}

type Unnumbered = Omit<ScenarioStep, 'n'>;

function stepsOf({ user, method, block, body, row, keep }: Move, outcome: Outcome, name: string): Unnumbered[] {
  const step: Unnumbered = {
    as: user,
    method,
    tag: block,
    ...(body !== null && { body: naming(body, name) }),
    ...(method === 'EXTERNAL' && { proof: 'valid' as const }),
    ...(keep !== undefined && { save: { [keep.name]: { path: keep.path } } }),
    expect: expectationOf(outcome),
  };
  if (row === undefined) return [step];
  const where = 'where' in row ? { where: withUsers({ ...row.where }) as Record<string, Json> } : { path: row.path };
  return [{ as: user, method: 'GET', tag: row.grid, save: { [name]: where }, expect: {} }, step];
}

function expectationOf({ refusal, units }: Outcome): ScenarioStep['expect'] {
  if (refusal !== null) return { error: refusal.code };
  const failed = new Set(units.flatMap(({ warnings }) => warnings.map(({ tag }) => tag)));
  return failed.size === 0 ? {} : { blockErrors: [...failed].sort() };
}

/** Each step saves its row under a unique name. */
function naming(body: Json, name: string): Json {
  const text = JSON.stringify(withUsers(body));
  return JSON.parse(text.replaceAll('"$row":"row"', `"$row":"${name}"`).replaceAll('${row.', `\${${name}.`)) as Json;
}

/** Users by their names, since only the bench knows their DIDs. */
function withUsers(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.replace(/^did:bench:(owner|user\d+)$/, (_, user: string) => `\${users.${user}.did}`);
  }
  if (Array.isArray(value)) return value.map(withUsers);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withUsers(member)]));
}
