/** What operators ask of an instance: what waits in it, what fails, how it is set up. No contents of policies. */
import type { Caller } from '../access/index.js';
import type { PolicyStore } from '../ports/index.js';
import type { Backlog } from '../telemetry/index.js';
import { version } from '../version.js';
import type { Gate } from './gate.js';
import type { EngineLimits } from './limits.js';
import type { BacklogCheck } from './program/backlog-check.js';

export interface OperationSummary {
  /** Of the software. */
  readonly version: string;
  /** What the store can do: whether acknowledged changes survive the process, whether several processes may share it. */
  readonly store: PolicyStore['capabilities'];
  /** In this process, and in the store that others may share. */
  readonly backlog: Backlog;
  /** By name; `null` for one that does not limit. */
  readonly limits: Readonly<Record<keyof EngineLimits, number | null>>;
}

export interface OperationDeps {
  readonly store: Pick<PolicyStore, 'capabilities'>;
  readonly backlog: BacklogCheck;
  readonly limits: EngineLimits;
}

export class InstanceOperation {
  constructor(
    private readonly gate: Gate,
    private readonly deps: OperationDeps,
  ) {}

  /**
   * The state of this instance. Looks at the store at most once a second. Throws `PERMISSION_DENIED` (`POLICIES_POLICY_MANAGE`),
   * `STORE_UNAVAILABLE`, `ENGINE_CLOSED`.
   */
  async get(caller: Caller): Promise<OperationSummary> {
    this.gate.admit(caller, 'POLICIES_POLICY_MANAGE');
    const { store, backlog, limits } = this.deps;
    const { durable, shared } = store.capabilities;
    return { version, store: { durable, shared }, backlog: await backlog.check(), limits: finite(limits) };
  }
}

/** JSON has no infinity. */
const finite = (limits: EngineLimits): OperationSummary['limits'] =>
  Object.fromEntries(
    Object.entries(limits).map(([name, limit]: [string, number]) => [name, Number.isFinite(limit) ? limit : null]),
  ) as OperationSummary['limits'];
