/** An instance of a simulation: a store that stays, and nodes with real engines on it that live, die and start again. */
import { createEngine, SeededKeys, silentLogger, type Ids, type Logger, type PolicyEngine } from '@blockwork/core';
import type { ChangeSet, PolicyStore, RecordKind, RecordTables } from '@blockwork/core/adapter';
import { INSTANCE } from '@blockwork/core/records';
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { SimulatedBroker } from './broker.js';
import { Connection } from './database/connection.js';
import { Database, type Replication } from './database/database.js';
import { FileMachine } from './file-store.js';
import type { SimulatedLedger } from './ledger.js';
import { Life } from './life.js';
import type { Network } from './network.js';
import { Oracle, type Contents } from './oracle.js';
import type { Plants } from './plants/plants.js';
import { ownerOf, policyIdOf, policyNames, simulatedBlocks, simulatedPolicies } from './policies.js';
import type { Scheduler } from './scheduler.js';

export interface InstanceShape {
  readonly name: string;
  readonly store: 'database' | 'files';
  readonly nodes: number;
  readonly replication: Replication;
  readonly isCoordinated: boolean;
}

export interface Surroundings {
  readonly scheduler: Scheduler;
  readonly network: Network;
  readonly broker: SimulatedBroker;
  readonly ledger: SimulatedLedger;
  readonly plants: Plants;
  readonly ids: Ids;
  readonly instances: readonly string[];
  readonly report: (invariant: string, problem: string) => void;
  readonly logger?: Logger;
}

const REQUEST_MS = 600_000;
const kinds: readonly RecordKind[] = ['document', 'ledger-effect', 'ledger-relation', 'journal', 'block-entry'];

export class Instance {
  readonly nodes: Node[];
  readonly oracle: Oracle;
  readonly database: Database | null;
  readonly machine: FileMachine | null;

  constructor(
    readonly shape: InstanceShape,
    readonly around: Surroundings,
  ) {
    const { name, store, replication, nodes } = shape;
    const { scheduler, plants, report } = around;
    this.oracle = new Oracle(name, report);
    const applied = (changeSets: readonly ChangeSet[]): void => this.oracle.applied(changeSets);
    const lost = (tables: RecordTables): void => {
      const contents: Contents = { of: (kind, partition) => tables.values(kind, partition) };
      this.oracle.rebuild(contents, this.policyIds, replication === 'asynchronous');
    };
    this.database =
      store === 'database' ? new Database({ now: () => scheduler.now, replication, plants, applied, lost }) : null;
    this.machine = store === 'files' ? new FileMachine(around) : null;
    this.nodes = Array.from({ length: nodes }, (_, at) => new Node(`${name}${at + 1}`, this));
  }

  get policyIds(): string[] {
    return policyNames.map((name) => policyIdOf(this.shape.name, name));
  }

  /** Opens the store for one life of a node, and compares it with what must be in it. */
  async open(name: string, life: Life): Promise<PolicyStore> {
    const { scheduler, network, plants } = this.around;
    const { database, machine, oracle } = this;
    if (database !== null) {
      const { isCoordinated } = this.shape;
      return new Connection({ name, life, database, scheduler, network, plants, isCoordinated });
    }
    if (machine === null) throw new Error(`The instance ${this.shape.name} has no store.`);
    const store = await machine.open(name, life, (changeSets) => oracle.applied(changeSets));
    const tables = new Map<string, unknown>();
    for (const partition of this.policyIds)
      for (const kind of kinds) tables.set(`${kind} ${partition}`, await store.find(kind, partition));
    tables.set(`request ${INSTANCE}`, await store.find('request', INSTANCE));
    const contents = { of: (kind: string, partition: string) => tables.get(`${kind} ${partition}`) ?? [] };
    oracle.rebuild(contents as Contents, this.policyIds, false);
    return store;
  }

  /** Imports and publishes the policies. */
  async prepare(engine: PolicyEngine): Promise<void> {
    const owner = ownerOf(this.shape.name);
    for (const policy of simulatedPolicies(this.shape.name)) {
      await engine.importPolicy(owner, policy);
      const { isValid, findings } = await engine.lifecycle.publish(owner, policy.id, '1.0.0');
      if (!isValid) throw new Error(JSON.stringify(findings));
    }
  }
}

export class Node {
  life: Life;
  /** `null` while it is down or starting. */
  engine: PolicyEngine | null = null;
  store: PolicyStore | null = null;
  /** Milliseconds by which its clock is ahead. */
  skew = 0;
  isUp = false;

  constructor(
    readonly name: string,
    readonly instance: Instance,
  ) {
    this.life = new Life(name);
  }

  /** Starts the process; its engine is there a little later. */
  start(): void {
    if (this.isUp) return;
    this.isUp = true;
    this.life = new Life(this.name);
    const { scheduler, report } = this.instance.around;
    const { life } = this;
    this.instance.open(this.name, life).then(
      (store) => {
        if (life.isOver) return;
        this.store = store;
        this.engine = this.#engine(store, life);
        scheduler.trace.tell(`${this.name} has started`);
      },
      (error: unknown) => {
        if (life.isOver) return;
        scheduler.trace.tell(`${this.name} could not open its store: ${String(error)}`);
        if (!this.instance.around.network.isFaulty) report('a store opens', String(error));
        this.crash();
        scheduler.after(5_000, null, `${this.name} restarts`, () => this.start());
      },
    );
  }

  /** The process ends, or with `power` its machine does. */
  crash(power = false): void {
    if (!this.isUp) return;
    this.isUp = false;
    this.engine = null;
    this.store = null;
    this.life.end();
    if (power) this.instance.machine?.cutPower();
    else this.instance.machine?.kill();
  }

  #engine(store: PolicyStore, life: Life): PolicyEngine {
    const { scheduler, broker, ledger, ids, instances, logger = silentLogger } = this.instance.around;
    const { name } = this.instance.shape;
    return createEngine({
      store,
      logger,
      ids,
      blocks: simulatedBlocks,
      nodeName: this.name,
      keys: new SeededKeys(new Uint8Array(32).fill(7)),
      link: broker.connect(this.name, life),
      ledger: ledger.connect(name, this.name, life),
      clock: { now: () => Math.floor(scheduler.now + this.skew) },
      timers: { after: (ms, run) => scheduler.after(ms, life, `${this.name} timer`, run) },
      instance: { id: name, key: keyOf(name) },
      peers: instances.map((id) => ({
        id,
        key: createPublicKey(keyOf(id)),
        identities: [`did:${id.toLowerCase()}:*`],
      })),
      limits: { requestMs: REQUEST_MS, answerMs: 3_600_000, closedRequestMs: 3_600_000, journalEntries: 200 },
    });
  }
}

const keys = new Map<string, KeyObject>();

/** The same key for the same name, in every process. */
function keyOf(name: string): KeyObject {
  let key = keys.get(name);
  if (key === undefined) {
    const secret = Buffer.alloc(32, name);
    const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), secret]);
    keys.set(name, (key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })));
  }
  return key;
}
