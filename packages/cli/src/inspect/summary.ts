/** The report of `blockwork inspect`, for a server or a folder. */

export interface InspectedPolicy {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  /** Units of work in the journal. */
  readonly units: number | null;
  readonly documents: number | null;
}

export interface InspectedTimer {
  readonly policyId: string;
  readonly due: string;
  readonly type: string;
}

/** `null` for a part that a folder or a server cannot provide, or that the token does not permit. */
export interface Inspection {
  readonly source: string;
  readonly policies: readonly InspectedPolicy[];
  /** Open requests from other instances, oldest first. */
  readonly requests:
    readonly { readonly messageId: string; readonly status: string; readonly policyId: string }[] | null;
  /** The processes that serve a database, oldest first; none for files. */
  readonly nodes: readonly {
    readonly name: string;
    readonly version: string;
    readonly since: string;
    readonly leases: number;
  }[];
  /** Pending timers, next due first. */
  readonly timers: readonly InspectedTimer[];
  /** Policies of other owners, whose timers are not visible to the caller. */
  readonly untoldTimers: readonly string[];
  /** Unsent messages and ledger effects. */
  readonly waiting: { readonly messages: number; readonly effects: number };
  /** Queued units of work of the process, and active lanes. */
  readonly lanes: { readonly waiting: number; readonly lanes: number } | null;
  /** Failing background work of the process, which is retried; without `id` it fails as a whole. */
  readonly stuck:
    | readonly {
        readonly work: string;
        readonly id: string | null;
        readonly failures: number;
        readonly retryAt: string;
        readonly reason: string;
      }[]
    | null;
  readonly ready: boolean | null;
}

export function describeInspection(inspection: Inspection): string {
  const {
    source,
    policies,
    requests,
    nodes,
    timers,
    untoldTimers,
    waiting: waitingRequests,
    lanes,
    stuck,
    ready,
  } = inspection;
  const lines = [
    `${source}${ready === null ? '' : ready ? ': ready' : ': NOT READY'}`,
    ...(nodes.length === 0 ? [] : [`Nodes: ${nodes.length}`]),
    ...nodes.map(
      ({ name, version, since, leases }) => `  ${name || '(no name)'}  ${version}, since ${since}, leases: ${leases}`,
    ),
    `Policies: ${policies.length}`,
    ...policies.map(({ id, name, status, units, documents }) => {
      const more = units === null ? '' : `, ${units} units of work, ${documents ?? 0} documents`;
      return `  ${status.padEnd(12)} ${name} (${id})${more}`;
    }),
    ...(requests === null ? [] : [`Open requests: ${requests.length}`]),
    ...(requests ?? []).map(({ messageId, status, policyId }) => `  ${status.padEnd(12)} ${messageId} for ${policyId}`),
    `Timers: ${timers.length}`,
    ...timers.map(({ due, type, policyId }) => `  ${due}  ${type} of ${policyId}`),
    ...(untoldTimers.length === 0 ? [] : [`  not visible, policies of other owners: ${untoldTimers.join(', ')}`]),
    `Unsent: ${waitingRequests.messages} messages, ${waitingRequests.effects} ledger effects`,
    ...(lanes === null ? [] : [`Queued: ${lanes.waiting} units of work; active lanes: ${lanes.lanes}`]),
    ...(stuck === null ? [] : [`Failing work: ${stuck.length}`]),
    ...(stuck ?? []).map(
      ({ work, id, failures, retryAt, reason }) =>
        `  ${work}${id === null ? '' : ` of ${id}`}  failures: ${failures}, next attempt ${retryAt}: ${reason}`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}
