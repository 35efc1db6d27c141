/** What `blockwork inspect` reports, whether of a server or of a folder. */

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

/** `null` in place of a part: a folder or a server cannot tell it. */
export interface Inspection {
  readonly source: string;
  readonly policies: readonly InspectedPolicy[];
  /** Open requests of other instances, oldest first. */
  readonly requests: readonly { readonly messageId: string; readonly status: string; readonly policyId: string }[];
  /** The processes that serve a database, oldest first; none for files. */
  readonly nodes: readonly {
    readonly name: string;
    readonly version: string;
    readonly since: string;
    readonly leases: number;
  }[];
  /** Waiting timers, the next first. */
  readonly timers: readonly InspectedTimer[];
  /** Policies of other owners: only these are told of their timers. */
  readonly untoldTimers: readonly string[];
  /** Messages and ledger effects that wait to be sent. */
  readonly waiting: { readonly messages: number; readonly effects: number };
  /** Units of work of the process that wait for their turn, and lanes that are in use. */
  readonly lanes: { readonly waiting: number; readonly lanes: number } | null;
  /** Background work of the process that fails and is retried; without `id` it fails as a whole. */
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
  const { source, policies, requests, nodes, timers, untoldTimers, waiting, lanes, stuck, ready } = inspection;
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
    `Open requests: ${requests.length}`,
    ...requests.map(({ messageId, status, policyId }) => `  ${status.padEnd(12)} ${messageId} for ${policyId}`),
    `Timers: ${timers.length}`,
    ...timers.map(({ due, type, policyId }) => `  ${due}  ${type} of ${policyId}`),
    ...(untoldTimers.length === 0 ? [] : [`  not told, as others own the policies: ${untoldTimers.join(', ')}`]),
    `Waiting to be sent: ${waiting.messages} messages, ${waiting.effects} ledger effects`,
    ...(lanes === null ? [] : [`Waiting for their turn: ${lanes.waiting} units of work; lanes in use: ${lanes.lanes}`]),
    ...(stuck === null ? [] : [`Stuck work: ${stuck.length}`]),
    ...(stuck ?? []).map(
      ({ work, id, failures, retryAt, reason }) =>
        `  ${work}${id === null ? '' : ` of ${id}`}  failures: ${failures}, again at ${retryAt}: ${reason}`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}
