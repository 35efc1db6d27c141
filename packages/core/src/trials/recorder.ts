/** Records what users send in a trial, in the unit of work of each send. */
import type { Caller } from '../access/index.js';
import { type BlockReference, type CompiledPolicyCache, findBlock, type OpenPolicy } from '../catalog/index.js';
import { journalId } from '../context/index.js';
import { isBlockworkError } from '../errors.js';
import { type Clock, isoNow } from '../ports/index.js';
import {
  isObject,
  type Json,
  jsonBytes,
  type JsonObject,
  type RecordedStep,
  type Recording,
  type RetryTimer,
  sameJson,
  type StepSource,
  type TrialRecord,
  valueAt,
} from '../records/index.js';
import type { Ran, Workflow } from '../runtime/index.js';
import { type Executor, lanes, revisionKeys, type UnitOfWork } from '../transactions/index.js';
import { assertTrial, journal, trialOf } from '../context/index.js';

export interface RecorderDeps {
  readonly executor: Executor;
  readonly policies: CompiledPolicyCache;
  readonly workflow: Pick<Workflow, 'read' | 'tick' | 'retry'>;
  readonly clock: Clock;
  readonly limits: RecordingLimits;
}

export interface RecordingLimits {
  readonly recordedSteps: number;
  /** Maximum size of all steps of a recording, as JSON. */
  readonly recordingBytes: number;
}

type OpenRecording = TrialRecord & { readonly recording: Recording };

export class Recorder implements Pick<Workflow, 'tick' | 'retry'> {
  constructor(private readonly deps: RecorderDeps) {}

  /** Carries out a send, and records it if a recording is active. */
  async send(
    unit: UnitOfWork,
    caller: Caller,
    policyId: string,
    reference: BlockReference,
    data: unknown,
    carryOut: () => Promise<Ran>,
  ): Promise<Ran> {
    const open = await this.#recorded(unit, policyId);
    const tag = open === null ? undefined : findBlock(open.policy, reference)?.tag;
    if (open === null || tag === undefined) return carryOut();
    // Read before the send: afterwards a row may have moved to another grid.
    const { body, sources } = await parameterize(
      data as Json,
      open.trial.recording.steps + 1,
      this.#answers(unit, caller, open.policy),
    );
    const ran = await carryOut();
    this.#record(unit, open.trial, { method: 'POST', did: caller.did, tag, body, sources, failed: failedIn(ran) });
    return ran;
  }

  /** Ticks a block, and records it if a recording is active and the tick had an effect. */
  async tick(unit: UnitOfWork, policyId: string, tag: string, due: string): Promise<Ran> {
    const ran = await this.deps.workflow.tick(unit, policyId, tag, due);
    const open = await this.#recorded(unit, policyId);
    const entry = await unit.get('journal', policyId, this.#idOf(unit, policyId));
    if (open === null || entry === undefined) return ran;
    const step = { method: 'TICK', did: '', tag, body: null, sources: [], failed: failedIn(ran) } as const;
    this.#record(unit, open.trial, { ...step, sources: [] });
    return ran;
  }

  /** Not recorded: when the scenario is replayed, the retry happens again. */
  retry(unit: UnitOfWork, timer: RetryTimer): Promise<Ran> {
    return this.deps.workflow.retry(unit, timer);
  }

  /** The recorded steps are kept. No-op if no recording is active. */
  async stop(caller: Caller, policyId: string): Promise<Recording | null> {
    const { executor, policies, clock } = this.deps;
    const key = revisionKeys.policy.of(policyId);
    const { result } = await executor.run(lanes.policy.of(policyId), [key], async (unit) => {
      assertTrial(await policies.open(policyId, unit), 'stop recording', caller);
      const trial = await trialOf(unit, policyId);
      if (trial.recording?.stopDate !== null) return trial.recording;
      const recording = { ...trial.recording, stopDate: isoNow(clock) };
      unit.put('trial', policyId, { ...trial, recording });
      journal(unit, key, { policyId, action: 'stop recording', did: caller.did }, clock);
      return recording;
    });
    return result;
  }

  async #recorded(unit: UnitOfWork, policyId: string): Promise<{ policy: OpenPolicy; trial: OpenRecording } | null> {
    const policy = await this.deps.policies.open(policyId, unit);
    if (policy.record.status !== 'DRY-RUN') return null;
    const trial = await trialOf(unit, policyId);
    const { recording } = trial;
    return recording?.stopDate === null ? { policy, trial: { ...trial, recording } } : null;
  }

  #record(unit: UnitOfWork, trial: OpenRecording, facts: Omit<RecordedStep, 'id'>): void {
    const step = { id: this.#idOf(unit, trial.id), ...facts };
    const { recordedSteps, recordingBytes } = this.deps.limits;
    const { recording } = trial;
    const [steps, bytes] = [recording.steps + 1, recording.bytes + jsonBytes(step)];
    if (steps > recordedSteps || bytes > recordingBytes) {
      const ended = { ...recording, stopDate: isoNow(this.deps.clock), isFull: true };
      unit.put('trial', trial.id, { ...trial, recording: ended });
      return;
    }
    unit.put('recorded-step', trial.id, step);
    unit.put('trial', trial.id, { ...trial, recording: { ...recording, steps, bytes } });
  }

  /** The id of the unit's entry in the journal. */
  #idOf(unit: UnitOfWork, policyId: string): string {
    return journalId(unit.expected(revisionKeys.policy.of(policyId)));
  }

  /** The answers of the blocks that the sender may read, grids first: a grid holds each row once. */
  async *#answers(unit: UnitOfWork, caller: Caller, policy: OpenPolicy): AsyncGenerator<SeenAnswer, void> {
    const isGrid = (type: string): boolean => type === 'interfaceDocumentsSourceBlock';
    const blocks = policy.tree.blocks.filter(({ named }) => named);
    const sorted = [
      ...blocks.filter((each) => isGrid(each.blockType)),
      ...blocks.filter((each) => !isGrid(each.blockType)),
    ];
    for (const { tag } of sorted) {
      try {
        const { answer } = await this.deps.workflow.read(caller, policy.id, { tag }, {}, unit);
        yield { tag, answer };
      } catch (error) {
        // Not open to the sender, or not readable.
        if (!isBlockworkError(error)) throw error;
      }
    }
  }
}

const failedIn = ({ log }: Ran): string[] => [...new Set(log.warnings.map(({ tag }) => tag))].sort();

/** An answer that the sender could read. */
interface SeenAnswer {
  readonly tag: string;
  readonly answer: Json;
}

interface ParameterizedBody {
  readonly body: Json;
  readonly sources: StepSource[];
}

/** Looks generated by the engine: a long word containing a digit, or a message id. */
const GENERATED = /^(?=\S*\d)\S{12,}$/;
/** Paths are dotted, so no segment may contain a dot. */
const NAMEABLE = /^[^.]+$/;
/** Maximum number of conditions tried to distinguish a row from the others. */
const CONDITIONS_AT_MOST = 24;

/** The body with `${name...}` and `$row` in place of the values found. `step`: its number, which makes names unique. */
async function parameterize(body: Json, step: number, answers: AsyncIterable<SeenAnswer>): Promise<ParameterizedBody> {
  const open = new Set(generatedIn(body));
  if (open.size === 0) return { body, sources: [] };
  const sources: StepSource[] = [];
  const texts = new Map<string, string>();
  const rows = new Map<string, { readonly name: string; readonly row: JsonObject }>();
  const named = (find: StepSource['find'], tag: string): string => {
    const name = `${'path' in find && !/^data\.\d+$/.test(find.path) ? 'value' : 'row'}${String(step)}${sources.length === 0 ? '' : `_${String(sources.length + 1)}`}`;
    sources.push({ name, tag, find });
    return name;
  };
  for await (const { tag, answer } of answers) {
    for (const [at, row] of rowsOf(answer).entries()) {
      const { id } = row;
      if (typeof id !== 'string' || !open.has(id)) continue;
      const name = named(conditionFor(row, at, rowsOf(answer)), tag);
      rows.set(id, { name, row });
      for (const text of open) {
        const path = pathOf(row, text);
        if (path !== undefined) texts.set(text, `${name}.${path}`);
      }
      for (const text of texts.keys()) open.delete(text);
    }
    for (const text of open) {
      const path = pathOf(answer, text);
      if (path === undefined) continue;
      texts.set(text, named({ path }, tag));
      open.delete(text);
    }
    if (open.size === 0) break;
  }
  return { body: replaced(body, rows, texts), sources };
}

function* generatedIn(value: Json): Generator<string, void> {
  if (typeof value === 'string' && GENERATED.test(value)) yield value;
  if (Array.isArray(value)) for (const each of value) yield* generatedIn(each);
  else if (isObject(value)) for (const each of Object.values(value)) yield* generatedIn(each);
}

function rowsOf(answer: Json): JsonObject[] {
  const data = valueAt(answer, 'data');
  return Array.isArray(data) && data.every(isObject) ? (data as JsonObject[]) : [];
}

/** The path of the text, if it can be expressed. */
function pathOf(value: Json, text: string): string | undefined {
  if (!isObject(value) && !Array.isArray(value)) return undefined;
  for (const [key, member] of Object.entries(value as JsonObject)) {
    if (!NAMEABLE.test(key)) continue;
    if (member === text) return key;
    const below = pathOf(member, text);
    if (below !== undefined) return `${key}.${below}`;
  }
  return undefined;
}

/** Values that no other row has: one, else two; if those do not distinguish it, its position. */
function conditionFor(row: JsonObject, at: number, rows: readonly JsonObject[]): StepSource['find'] {
  const candidates = [...scalarsOf(row)].slice(0, CONDITIONS_AT_MOST);
  const fits = (other: JsonObject, where: readonly (readonly [string, Json])[]): boolean =>
    where.every(([path, value]) => sameJson(valueAt(other, path), value));
  const isAlone = (where: readonly (readonly [string, Json])[]): boolean =>
    rows.filter((other) => fits(other, where)).length === 1;
  for (const one of candidates) if (isAlone([one])) return { where: Object.fromEntries([one]) };
  for (const [first, one] of candidates.entries()) {
    for (const two of candidates.slice(first + 1))
      if (isAlone([one, two])) return { where: Object.fromEntries([one, two]) };
  }
  return { path: `data.${String(at)}` };
}

/** Entered values first, then the status: values that will be the same in a replay. */
function* scalarsOf(row: JsonObject): Generator<readonly [string, Json], void> {
  const subject = 'document.credentialSubject.0';
  for (const [parent, value] of [
    [subject, valueAt(row, subject)],
    ['option', row['option']],
  ] as const) {
    if (!isObject(value)) continue;
    for (const [key, member] of Object.entries(value as JsonObject)) {
      const isGenerated = typeof member === 'string' && (GENERATED.test(member) || member === '');
      const isScalar = typeof member === 'string' || typeof member === 'number' || typeof member === 'boolean';
      if (NAMEABLE.test(key) && isScalar && !isGenerated && key !== 'type') yield [`${parent}.${key}`, member];
    }
  }
}

function replaced(
  value: Json,
  rows: ReadonlyMap<string, { readonly name: string; readonly row: JsonObject }>,
  names: ReadonlyMap<string, string>,
): Json {
  if (typeof value === 'string') {
    const path = names.get(value);
    return path === undefined ? value : `\${${path}}`;
  }
  if (Array.isArray(value)) return value.map((each) => replaced(each, rows, names));
  if (!isObject(value)) return value;
  const row = typeof value['id'] === 'string' ? rows.get(value['id']) : undefined;
  if (row !== undefined) {
    const set = Object.fromEntries(
      [...changes(value, row.row)].map(([path, member]) => [path, replaced(member, rows, names)]),
    );
    return { $row: row.name, ...(Object.keys(set).length > 0 && { set }) };
  }
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, replaced(member, rows, names)]));
}

/** The sender's changes to the row, by path. */
function* changes(sent: JsonObject, row: JsonObject, parent = ''): Generator<readonly [string, Json], void> {
  for (const [key, value] of Object.entries(sent)) {
    const before = row[key];
    if (!NAMEABLE.test(key) || sameJson(value, before)) continue;
    const path = parent + key;
    if (isObject(value) && isObject(before)) yield* changes(value, before, `${path}.`);
    else yield [path, value];
  }
}
