/** Instrumented reads and units of work: reports them to observers. */
import { isBlockworkError } from '../errors.js';
import type { Json } from '../records/index.js';
import type { Caller } from '../access/index.js';
import { assertBlockReference, type AnswerCache, type BlockReference } from '../catalog/index.js';
import { channels, tracedUnit, validTraceparent } from '../telemetry/index.js';
import type { CommittedUnit, Inspections, ReadOperation, SendOperation, TelemetrySource } from '../telemetry/index.js';
import { lanes, revisionKeys } from '../transactions/index.js';
import type { Executor, UnitOfWork } from '../transactions/index.js';
import type { Ran, Workflow } from '../runtime/index.js';
import type { Query } from './send-options.js';

export interface InstrumentedRunsDeps {
  readonly inspections: Inspections;
  readonly executor: Executor;
  readonly source: TelemetrySource;
  readonly workflow: Pick<Workflow, 'read'>;
  readonly answers: AnswerCache;
}

/** The outcome of a unit that ran here. */
export type Executed = Pick<Ran, 'answer'>;

/** A unit of work of a policy. `tag` identifies it in errors; `traceparent` is as received. */
export interface WatchedUnit {
  readonly did: string;
  readonly policyId: string;
  readonly tag: string;
  readonly cause: SendOperation['cause'];
  readonly traceparent: string | undefined;
}

interface Read {
  readonly tag: string;
  readonly blockType: string;
  readonly kept?: boolean;
}

type Work = (unit: UnitOfWork) => Promise<Ran>;

export class InstrumentedRuns {
  constructor(private readonly deps: InstrumentedRunsDeps) {}

  /** A block's answer as a value. `received`: the trace context. */
  async read(
    caller: Caller,
    policyId: string,
    block: BlockReference,
    query: Query,
    received: string | undefined,
  ): Promise<Json> {
    const { workflow, answers } = this.deps;
    const ask = () => answers.read(policyId, (records) => workflow.read(caller, policyId, block, query, records));
    return (await this.#trace(caller.did, policyId, block, ask, received)).answer;
  }

  /** A block's answer as JSON text, possibly cached. */
  async readText(
    caller: Caller,
    policyId: string,
    block: BlockReference,
    query: Query,
    received: string | undefined,
  ): Promise<string> {
    const { workflow, answers } = this.deps;
    const ask = () =>
      answers.text({ caller, policyId, block, query }, (records, rows) =>
        workflow.read(caller, policyId, block, query, records, rows),
      );
    return (await this.#trace(caller.did, policyId, block, ask, received)).text;
  }

  /** Resolves after the commit. */
  async run(watched: WatchedUnit, work: Work): Promise<Ran> {
    const { policyId, tag: block, cause, traceparent } = watched;
    const facts = { source: this.deps.source, cause, policyId, block, traceparent };
    const run = (trace: string | undefined) => this.#run(watched, work, trace);
    return (await tracedUnit(facts, run, (ran) => ran)).result;
  }

  #trace<T extends Read>(
    did: string,
    policyId: string,
    block: BlockReference,
    read: () => Promise<T>,
    received: string | undefined,
  ): Promise<T> {
    if (!channels.read.isHeard) return this.#read(did, policyId, block, read);
    const traceparent = validTraceparent(received);
    const operation: ReadOperation = { source: this.deps.source, traceparent, policyId, block: nameOf(block) };
    return channels.read.trace(operation, () => this.#read(did, policyId, block, read), noteRead);
  }

  async #read<T extends Read>(
    did: string,
    policyId: string,
    block: BlockReference,
    read: () => Promise<T>,
  ): Promise<T> {
    const { inspections } = this.deps;
    try {
      const answered = await read();
      if (inspections.isHeard) inspections.publish({ type: 'block.read', policyId, tag: answered.tag, did });
      return answered;
    } catch (error) {
      inspections.publish({ type: 'block.refused', policyId, tag: nameOf(block), did, code: codeOf(error) });
      throw error;
    }
  }

  async #run({ did, policyId, tag }: WatchedUnit, work: Work, trace: string | undefined): Promise<CommittedUnit<Ran>> {
    const { inspections, executor } = this.deps;
    try {
      const keys = [revisionKeys.policy.of(policyId)];
      const committed = await executor.run(lanes.policy.of(policyId), keys, (unit) => {
        unit.traceparent = trace;
        return work(unit);
      });
      const { result, changes, attempts } = committed;
      if (!inspections.isHeard) return committed;
      for (const { target, input, did: actor } of result.log.events) {
        inspections.publish({ type: 'block.ran', policyId, tag: target, input, did: actor });
      }
      inspections.publish({ type: 'unit.committed', policyId, tag: result.tag, did, changes, attempts });
      return committed;
    } catch (error) {
      inspections.publish({ type: 'unit.failed', policyId, tag, did, code: codeOf(error) });
      throw error;
    }
  }
}

function noteRead(operation: ReadOperation, { tag, blockType, kept: isCached = false }: Read): void {
  operation.block = tag;
  operation.blockType = blockType;
  operation.kept = isCached;
}

export function nameOf(block: BlockReference): string {
  assertBlockReference(block);
  return 'tag' in block ? block.tag : block.uuid;
}
const codeOf = (error: unknown): string => (isBlockworkError(error) ? error.code : 'INTERNAL');
