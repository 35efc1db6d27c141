/** A unit of work that runs blocks, published on the channel `blockwork:send`. */
import { channels } from './channels.js';
import { unnamedSource, type SendOperation, type TelemetrySource } from './operations.js';
import { isBlockworkError } from '../errors.js';
import type { SlowestUnits } from './slowest-units.js';
import { validTraceparent } from './traceparent.js';

export interface UnitFacts extends Pick<SendOperation, 'cause' | 'policyId' | 'block'> {
  readonly source: TelemetrySource | undefined;
  /** As received. */
  readonly traceparent: string | undefined;
}

/** The facts known of a unit once it is committed. */
export interface CommittedUnit<Result> {
  readonly result: Result;
  readonly attempts: number;
  readonly changes: number;
}

/** The blocks that a unit ran. */
export interface RanBlocks {
  readonly tag: string;
  readonly blockType?: string;
  readonly log: { readonly events: readonly unknown[] };
}

/**
 * `run` receives the trace context that the unit is to carry. `ranBy` extracts the blocks that ran, if any, from its
 * result.
 */
export function tracedUnit<Result>(
  { source = unnamedSource, traceparent: received, ...facts }: UnitFacts,
  run: Run<Result>,
  ranBy: (result: Result) => RanBlocks | undefined,
): Promise<CommittedUnit<Result>> {
  const traceparent = validTraceparent(received);
  const { slowestUnits } = source;
  const timedRun = slowestUnits === undefined ? run : timed(slowestUnits, facts, run);
  if (!channels.send.isHeard) return timedRun(traceparent);
  const operation: SendOperation = { source, traceparent, ...facts };
  return channels.send.trace(
    operation,
    () => timedRun(operation.traceparent),
    (traced, { result, attempts, changes }) => {
      traced.attempts = attempts;
      traced.changes = changes;
      const ran = ranBy(result);
      if (ran === undefined) return;
      traced.block = ran.tag;
      traced.events = ran.log.events.length;
      if (ran.blockType !== undefined) traced.blockType = ran.blockType;
    },
  );
}

type Run<Result> = (traceparent: string | undefined) => Promise<CommittedUnit<Result>>;

/** Also records the duration. */
const timed =
  <Result>(slowest: SlowestUnits, unit: Pick<SendOperation, 'cause' | 'policyId' | 'block'>, run: Run<Result>) =>
  async (traceparent: string | undefined): Promise<CommittedUnit<Result>> => {
    const began = slowest.now();
    try {
      const committed = await run(traceparent);
      slowest.note(began, { ...unit, attempts: committed.attempts, code: null });
      return committed;
    } catch (error) {
      const code = isBlockworkError(error) ? error.code : 'INTERNAL';
      slowest.note(began, { ...unit, attempts: null, code });
      throw error;
    }
  };
