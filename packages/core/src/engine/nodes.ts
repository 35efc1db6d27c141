/** The nodes of a shared store, for operators. */
import type { Caller } from '../access/index.js';
import type { StoreNode } from '../background/index.js';
import type { Gate } from './gate.js';

/** A live process on the store. */
export interface NodeSummary {
  /** Unique per run of the process. */
  id: string;
  /** The operator's name for it; empty if none was given. */
  name: string;
  /** Software version. */
  version: string;
  /** When it joined (ISO 8601), by the store's clock. */
  since: string;
  /** Number of background work leases it holds. */
  leases: number;
  /** Whether it is the responding node. */
  isThis: boolean;
}

export class Nodes {
  constructor(
    private readonly gate: Gate,
    private readonly storeNode: StoreNode | null,
  ) {}

  /**
   * The live nodes, oldest first; empty for a store that belongs to this process alone. Throws `PERMISSION_DENIED`
   * (`INSTANCE_OPERATE`), `ENGINE_CLOSED`, `STORE_UNAVAILABLE`.
   *
   * @example const nodes = await engine.nodes.list(owner);
   */
  async list(caller: Caller): Promise<NodeSummary[]> {
    this.gate.admit(caller, 'INSTANCE_OPERATE');
    const node = this.storeNode;
    if (node === null) return [];
    return (await node.all()).map(({ id, name, version, since, leases }) => ({
      ...{ id, name, version, leases },
      since: new Date(since).toISOString(),
      isThis: id === node.facts.id,
    }));
  }
}
