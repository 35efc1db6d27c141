/** The nodes of a store that several processes share, for those who operate them. */
import type { Caller } from '../access/index.js';
import type { StoreNode } from '../background/index.js';
import type { Gate } from './gate.js';

/** A process that is alive on the store. */
export interface NodeSummary {
  /** Unique to this run of the process. */
  id: string;
  /** What the operator calls it; empty where it was given no name. */
  name: string;
  /** Of the software. */
  version: string;
  /** When it joined, ISO 8601, by the clock of the store. */
  since: string;
  /** How much of the background work it has taken on. */
  leases: number;
  /** Whether it is the one that answers. */
  isThis: boolean;
}

export class Nodes {
  constructor(
    private readonly gate: Gate,
    private readonly storeNode: StoreNode | null,
  ) {}

  /**
   * The nodes that are alive, oldest first; none for a store that belongs to this process alone. Throws `PERMISSION_DENIED`
   * (`POLICIES_POLICY_MANAGE`), `ENGINE_CLOSED`, `STORE_UNAVAILABLE`.
   */
  async list(caller: Caller): Promise<NodeSummary[]> {
    this.gate.admit(caller, 'POLICIES_POLICY_MANAGE');
    const node = this.storeNode;
    if (node === null) return [];
    return (await node.all()).map(({ id, name, version, since, leases }) => ({
      ...{ id, name, version, leases },
      since: new Date(since).toISOString(),
      isThis: id === node.facts.id,
    }));
  }
}
