/** What `blockwork inspect` reports, whether of a server or of a folder. */

export interface InspectedPolicy {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  /** Units of work in the journal; `null` where they cannot be told. */
  readonly units: number | null;
  readonly documents: number | null;
}

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
  /** Waiting timers, the next first; `null` where they cannot be told. */
  readonly timers: readonly { readonly policyId: string; readonly due: string; readonly type: string }[] | null;
  /** Messages and ledger effects that wait to be sent. */
  readonly waiting: { readonly messages: number; readonly effects: number } | null;
  readonly ready: boolean | null;
}

export function describeInspection({ source, policies, requests, nodes, timers, waiting, ready }: Inspection): string {
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
    ...(timers === null
      ? []
      : [`Timers: ${timers.length}`, ...timers.map(({ due, type, policyId }) => `  ${due}  ${type} of ${policyId}`)]),
    ...(waiting === null
      ? []
      : [`Waiting to be sent: ${waiting.messages} messages, ${waiting.effects} ledger effects`]),
  ];
  return `${lines.join('\n')}\n`;
}
