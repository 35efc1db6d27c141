/** Records what users send in a trial, in the unit of work of each send. */
import type { Caller } from '../access/index.js';
import { findBlock, type BlockReference, type CompiledPolicyCache, type OpenPolicy } from '../catalog/index.js';
import { journalId } from '../context/index.js';
import { isBlockworkError } from '../errors.js';
import { isoNow, type Clock } from '../ports/index.js';
import { jsonBytes } from '../records/index.js';
import type { Json, RecordedStep, Recording, RetryTimer, TrialRecord } from '../records/index.js';
import type { Ran, Workflow } from '../runtime/index.js';
import { lanes, revisionKeys, type Executor, type UnitOfWork } from '../transactions/index.js';
import { parameterize, type SeenAnswer } from './parameterize.js';
import { assertTrial, journal, trialOf } from './trial-state.js';

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
