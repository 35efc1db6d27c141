/** A recording as a scenario script: what was sent, and what each user sees at the end. */
import type { Caller } from '../access/index.js';
import type { CompiledPolicyCache, OpenPolicy } from '../catalog/index.js';
import { BlockworkError, isBlockworkError } from '../errors.js';
import type { Accounts } from '../ports/index.js';
import { isObject, valueAt } from '../records/index.js';
import type { Json, JsonObject, RecordedStep, VirtualUser } from '../records/index.js';
import type { Workflow } from '../runtime/index.js';
import type { RecordReader } from '../transactions/index.js';
import { trialOf } from '../context/index.js';

/** Steps in the format of `runScenario` of `@blockwork/testing` and `blockwork test`. */
export type Scenario = readonly JsonObject[];

export interface ScenarioDeps {
  readonly store: RecordReader;
  readonly policies: CompiledPolicyCache;
  readonly workflow: Pick<Workflow, 'read'>;
  readonly accounts: Accounts;
}

/** Names with a special meaning in scripts. */
const RESERVED = ['owner', 'system'];

/** Throws `RECORDING_UNKNOWN` if nothing was recorded. */
export async function scenarioOf(deps: ScenarioDeps, policyId: string): Promise<Scenario> {
  const policy = await deps.policies.open(policyId);
  const { recording, users } = await trialOf(deps.store, policyId);
  const steps = await deps.store.find('recorded-step', policyId, { order: { path: 'id', direction: 'asc' } });
  if (recording === null || steps.length === 0) throw new BlockworkError('RECORDING_UNKNOWN', { facts: { policyId } });
  const participants = await participantsOf(deps, policy, users, steps);
  const done = steps.flatMap((step) => scriptSteps(step, participants));
  const outcomes = recording.isFull ? [] : await outcome(deps, policy, participants);
  return [...done, ...outcomes].map((step, at) => ({ n: at + 1, ...step }));
}

interface Actor {
  readonly did: string;
  readonly name: string;
}

/** The participants, by their names in the script. */
interface Participants {
  readonly actors: readonly Actor[];
  /** The value with identities, accounts and the policy's id replaced by references. */
  substitute(value: Json): Json;
}

async function participantsOf(
  { accounts }: ScenarioDeps,
  { id, record }: OpenPolicy,
  users: readonly VirtualUser[],
  steps: readonly RecordedStep[],
): Promise<Participants> {
  const actors = new Map<string, Actor>([[record.owner, { did: record.owner, name: 'owner' }]]);
  const takenNames = new Set(RESERVED);
  const add = (did: string, wanted: string): void => {
    const base = wanted.replaceAll(/[^A-Za-z0-9_-]+/g, '_').replaceAll(/^_+|_+$/g, '') || 'user';
    let name = base;
    for (let number = 2; takenNames.has(name); number += 1) name = `${base}_${String(number)}`;
    takenNames.add(name);
    actors.set(did, { did, name });
  };
  for (const { did, name } of users) if (!actors.has(did)) add(did, name);
  for (const { did } of steps) if (did !== '' && !actors.has(did)) add(did, lastPart(did));
  const references: (readonly [string, string])[] = [[id, '${policyId}']];
  for (const { did, name } of actors.values()) {
    references.push([did, `\${users.${name}.did}`]);
    const account = await accounts.accountOf(did);
    if (account !== null) references.push([account, `\${users.${name}.account}`]);
  }
  // Longest first: one may be a prefix of another.
  references.sort(([one], [other]) => other.length - one.length);
  const acting = new Set([record.owner, ...steps.map(({ did }) => did)]);
  return {
    actors: [...actors.values()].filter(({ did }) => acting.has(did)),
    substitute: (value) => withReferences(value, references),
  };
}

const lastPart = (did: string): string => did.split(':').at(-1) ?? did;

function withReferences(value: Json, references: readonly (readonly [string, string])[]): Json {
  if (typeof value === 'string') {
    return references.reduce((text, [from, to]) => (text.includes(from) ? text.replaceAll(from, to) : text), value);
  }
  if (Array.isArray(value)) return value.map((each) => withReferences(each, references));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withReferences(each, references)]));
}

function scriptSteps(
  { method, did, tag, body, sources, failed }: RecordedStep,
  participants: Participants,
): JsonObject[] {
  const as = participants.actors.find((actor) => actor.did === did)?.name ?? 'system';
  const reads = sources.map((source) => ({
    as,
    method: 'GET',
    tag: source.tag,
    save: { [source.name]: participants.substitute(source.find as unknown as JsonObject) },
    expect: {},
  }));
  const expect = failed.length === 0 ? {} : { blockErrors: [...failed] };
  return [...reads, { as, method, tag, ...(method === 'POST' && { body: participants.substitute(body) }), expect }];
}

/** How many rows each participant sees in each grid, and which documents exist. */
async function outcome(deps: ScenarioDeps, policy: OpenPolicy, { actors }: Participants): Promise<JsonObject[]> {
  const reads: JsonObject[] = [];
  const grids = policy.tree.blocks.filter(
    ({ blockType, named }) => named && blockType === 'interfaceDocumentsSourceBlock',
  );
  for (const { did, name } of actors) {
    for (const { tag } of grids) {
      const rows = await rowsSeen(deps, { did }, policy.id, tag);
      if (rows !== undefined) reads.push({ as: name, method: 'GET', tag, expect: { count: rows } });
    }
  }
  const last = reads.at(-1);
  const world = await documentsOf(deps.store, policy.id);
  if (last !== undefined) last['expect'] = { ...(last['expect'] as JsonObject), world };
  return reads;
}

/** `undefined` if the grid is not open to them. */
async function rowsSeen(
  { workflow, store }: ScenarioDeps,
  caller: Caller,
  policyId: string,
  tag: string,
): Promise<number | undefined> {
  try {
    const data = valueAt((await workflow.read(caller, policyId, { tag }, {}, store)).answer, 'data');
    return Array.isArray(data) ? data.length : undefined;
  } catch (error) {
    if (isBlockworkError(error)) return undefined;
    throw error;
  }
}

/** By type and status, as a scenario's `world` counts them. */
async function documentsOf(store: RecordReader, policyId: string): Promise<JsonObject> {
  const [documents, schemas] = await Promise.all([store.find('document', policyId), store.find('schema', policyId)]);
  const names = new Map(schemas.map(({ id, name }) => [id, name]));
  const typeOf = (type = '-'): string => (type.startsWith('#') ? (names.get(type) ?? type) : type);
  const [vc, vp] = [new Map<string, number>(), new Map<string, number>()];
  const add = (tally: Map<string, number>, key: string): void => void tally.set(key, (tally.get(key) ?? 0) + 1);
  for (const { dataType, type, option } of documents) {
    if (dataType === 'vp-documents') add(vp, typeOf(type));
    if (dataType !== 'vc-documents') continue;
    const status = option['status'] ?? option['status2'] ?? '-';
    add(vc, `${typeOf(type)}|${typeof status === 'string' ? status : JSON.stringify(status)}`);
  }
  return { vc: Object.fromEntries(vc), vp: Object.fromEntries(vp) };
}
