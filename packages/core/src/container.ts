/** The composition root: puts an engine together, from the parts given and defaults for the rest. */
import 'reflect-metadata';
import { Container } from 'inversify';
import { defaultPermissionTable, type PermissionTable } from './access/index.js';
import { CommitWatch, joseSignatures, requestServices, TrustedPeers } from './approvals/index.js';
import type { ApprovalRule, InstanceOptions, Peer, RequestServices, Signatures } from './approvals/index.js';
import { interfaceBlocks } from './blocks/index.js';
import { engineLimits, type EngineLimits } from './engine-limits.js';
import { PolicyEngine } from './engine.js';
import { PolicyLifecycle } from './lifecycle/index.js';
import {
  DerivedAccounts,
  MemoryLink,
  MemoryStore,
  randomIds,
  SeededKeys,
  silentLogger,
  systemClock,
  systemTimers,
} from './memory/index.js';
import { parts } from './parts.js';
import { policyFileLimits, type PolicyFileLimits } from './policy/index.js';
import type {
  Accounts,
  ChangeSet,
  Clock,
  CredentialSigner,
  Ids,
  Inspector,
  Keys,
  Ledger,
  Link,
  Logger,
  PolicyStore,
  Timers,
} from './ports/index.js';
import type { Timer } from './records/index.js';
import { RequestDesk } from './request-desk.js';
import {
  Alarm,
  AnswerCache,
  blockRegistry,
  DocumentIntake,
  Executor,
  PolicyIntake,
  PolicyLibrary,
  Schedule,
  Settlement,
  Timekeeper,
  Workflow,
  type BlockRegistry,
  type BlockType,
  type RunTools,
} from './runtime/index.js';

/** Everything is optional: without options the engine lives in memory. Ports that are given are closed with the engine. */
export interface EngineOptions {
  readonly store?: PolicyStore;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly logger?: Logger;
  readonly inspector?: Inspector;
  readonly timers?: Timers;
  readonly link?: Link;
  /**
   * Keys of the identities that live here. When absent, they come from a seed that is forgotten with the process: give
   * `new SeededKeys(seed)` with a store that outlives it.
   */
  readonly keys?: Keys;
  /** Ledger accounts of identities; worked out from the identity when absent. */
  readonly accounts?: Accounts;
  /** A ledger outside, on which effects are settled after the commit; none when absent: then the policies' books are it. */
  readonly ledger?: Ledger;
  /** Platform role -> permissions. Replaces the default table. */
  readonly permissionTable?: PermissionTable;
  /** Block types of your own, beside the interface blocks; one of the same name replaces a standard one. */
  readonly blocks?: readonly BlockType[];
  readonly limits?: Partial<EngineLimits>;
  readonly policyFileLimits?: Partial<PolicyFileLimits>;
  /** What this instance is called among others, and what it signs with; without it, it neither asks others nor hears them. */
  readonly instance?: InstanceOptions;
  /** The instances whose messages are believed; none by default. `engine.requests.peers` changes them while it runs. */
  readonly peers?: readonly Peer[];
  /** Which requests of peers are approved without a person; none by default. */
  readonly autoApprove?: ApprovalRule;
  /** The keys of this instance's users, for signatures that others ask for; without it, they are refused. */
  readonly sign?: CredentialSigner;
  /** Names of instances that the program vouches for when it hands in their messages with `engine.requests.receive`. */
  readonly trustedInstances?: readonly string[];
  /** Called with the container before anything is made: rebind any of `parts` to replace it. */
  readonly configure?: (container: Container) => void;
}

/** Makes an engine. Throws `OPTION_INVALID`, naming the option and what is wrong with it. */
export function createEngine(options: EngineOptions = {}): PolicyEngine {
  const container = new Container({ defaultScope: 'Singleton' });
  bindPorts(container, options);
  bindServices(container, options);
  options.configure?.(container);
  const engine = container.get<PolicyEngine>(parts.engine);
  container.get<RequestServices>(parts.requests).start();
  container.get<Schedule>(parts.schedule).start();
  container.get<Settlement | null>(parts.settlement)?.start();
  return engine;
}

function bindPorts(container: Container, options: EngineOptions): void {
  const clock = options.clock ?? systemClock;
  const logger = options.logger ?? silentLogger;
  container.bind<Clock>(parts.clock).toConstantValue(clock);
  container.bind<Logger>(parts.logger).toConstantValue(logger);
  container.bind<Ids>(parts.ids).toConstantValue(options.ids ?? randomIds);
  container.bind<Inspector>(parts.inspector).toConstantValue(guarded(options.inspector, logger));
  container.bind<PolicyStore>(parts.store).toDynamicValue(() => options.store ?? new MemoryStore());
  const timers = options.timers ?? systemTimers;
  container.bind<Timers>(parts.timers).toConstantValue(timers);
  container.bind<Signatures>(parts.signatures).toConstantValue(joseSignatures);
  container.bind<Link>(parts.link).toDynamicValue(() => options.link ?? new MemoryLink({ clock, logger, timers }));
  container.bind<Keys>(parts.keys).toDynamicValue(() => options.keys ?? new SeededKeys());
  container.bind<Accounts>(parts.accounts).toDynamicValue(() => options.accounts ?? new DerivedAccounts());
  container.bind<Ledger | null>(parts.ledger).toConstantValue(options.ledger ?? null);
  container
    .bind<PermissionTable>(parts.permissionTable)
    .toConstantValue(options.permissionTable ?? defaultPermissionTable);
}

function bindServices(container: Container, options: EngineOptions): void {
  const limits = engineLimits(options.limits);
  const fileLimits = policyFileLimits(options.policyFileLimits);
  const blocks = [...interfaceBlocks({ itemsPerPage: limits.itemsPerPage }), ...(options.blocks ?? [])];
  const get = <T>(part: symbol): T => container.get<T>(part);
  const bind = <T>(part: symbol, make: () => T): void => {
    container.bind<T>(part).toDynamicValue(make);
  };
  const ports = () => ({
    store: get<PolicyStore>(parts.store),
    clock: get<Clock>(parts.clock),
    ids: get<Ids>(parts.ids),
    inspector: get<Inspector>(parts.inspector),
    executor: get<Executor>(parts.executor),
  });

  bind(parts.blockRegistry, () => blockRegistry(blocks));
  bind(parts.library, () => new PolicyLibrary(get(parts.store), get<BlockRegistry>(parts.blockRegistry), limits));
  bind(parts.commits, () => new CommitWatch());
  bind(parts.executor, () => {
    const commits = get<CommitWatch>(parts.commits);
    // The schedule itself needs the executor: it is asked for when there is something to tell it.
    const onCommit = (changeSet: ChangeSet): void => {
      commits.notice(changeSet);
      get<Schedule>(parts.schedule).notice(changeSet);
      get<Settlement | null>(parts.settlement)?.notice(changeSet);
    };
    return new Executor(get(parts.store), { conflictRetries: limits.conflictRetries, onCommit });
  });
  bind(parts.workflow, () => new Workflow(get(parts.store), get(parts.library), runTools(container, limits)));
  bind(parts.timekeeper, () => new Timekeeper({ ...running(container), limits }));
  bind(
    parts.lifecycle,
    () =>
      new PolicyLifecycle({
        ...running(container),
        store: get(parts.store),
        timekeeper: get(parts.timekeeper),
        run: runTools(container, limits),
      }),
  );
  bind(parts.schedule, () => makeSchedule(container));
  bind(parts.settlement, () => makeSettlement(container));
  bind(parts.answers, () => new AnswerCache(get(parts.store), limits));
  bind(parts.intake, () => new PolicyIntake({ ...ports(), limits: fileLimits }));
  bind(parts.documents, () => new DocumentIntake(get(parts.executor), get(parts.library), ports()));
  bind(parts.requests, () =>
    requestServices(
      {
        ...ports(),
        link: get(parts.link),
        timers: get(parts.timers),
        logger: get(parts.logger),
        commits: get(parts.commits),
        library: get(parts.library),
        intake: get(parts.intake),
        workflow: get(parts.workflow),
        signatures: get(parts.signatures),
      },
      {
        instance: options.instance ?? null,
        peers: new TrustedPeers(options.peers),
        trustedInstances: options.trustedInstances ?? [],
        signer: options.sign ?? null,
        rule: options.autoApprove ?? null,
        limits,
      },
    ),
  );
  bind(parts.engine, () => makeEngine(container));
}

function makeEngine(container: Container): PolicyEngine {
  const store = container.get<PolicyStore>(parts.store);
  const link = container.get<Link>(parts.link);
  const services = container.get<RequestServices>(parts.requests);
  const permissionTable = container.get<PermissionTable>(parts.permissionTable);
  const library = container.get<PolicyLibrary>(parts.library);
  return new PolicyEngine({
    store,
    library,
    intake: container.get(parts.intake),
    documents: container.get(parts.documents),
    workflow: container.get(parts.workflow),
    answers: container.get(parts.answers),
    executor: container.get(parts.executor),
    registry: container.get(parts.blockRegistry),
    lifecycle: container.get(parts.lifecycle),
    schedule: container.get(parts.schedule),
    timekeeper: container.get(parts.timekeeper),
    requests: new RequestDesk({ services, library, store, permissionTable }),
    approvals: services.approvals,
    permissionTable,
    inspector: container.get(parts.inspector),
    release: async () => {
      await container.get<Schedule>(parts.schedule).close();
      await container.get<Settlement | null>(parts.settlement)?.close();
      await container.get<Ledger | null>(parts.ledger)?.close();
      await services.stop();
      await link.close();
      await store.close();
    },
  });
}

const alarmOf = (container: Container): Alarm =>
  new Alarm(container.get<Timers>(parts.timers), container.get<Clock>(parts.clock));

const running = (container: Container) => ({
  executor: container.get<Executor>(parts.executor),
  library: container.get<PolicyLibrary>(parts.library),
  workflow: container.get<Workflow>(parts.workflow),
  registry: container.get<BlockRegistry>(parts.blockRegistry),
  clock: container.get<Clock>(parts.clock),
});

function makeSchedule(container: Container): Schedule {
  const timekeeper = container.get<Timekeeper>(parts.timekeeper);
  const lifecycle = container.get<PolicyLifecycle>(parts.lifecycle);
  return new Schedule({
    store: container.get(parts.store),
    clock: container.get(parts.clock),
    alarm: alarmOf(container),
    logger: container.get(parts.logger),
    carryOut: (timer: Timer) =>
      timer.type === 'discontinue' ? lifecycle.discontinueNow(timer) : timekeeper.carryOut(timer),
    giveUp: (timer, error) => {
      if (timer.type === 'discontinue') throw error;
      return timekeeper.giveUp(timer, error);
    },
  });
}

/** `null` where there is no ledger outside to settle on. */
function makeSettlement(container: Container): Settlement | null {
  const ledger = container.get<Ledger | null>(parts.ledger);
  if (ledger === null) return null;
  return new Settlement({
    store: container.get(parts.store),
    clock: container.get(parts.clock),
    logger: container.get(parts.logger),
    inspector: container.get(parts.inspector),
    ledger,
    alarm: alarmOf(container),
  });
}

const runTools = (container: Container, limits: EngineLimits): RunTools => ({
  registry: container.get(parts.blockRegistry),
  clock: container.get(parts.clock),
  ids: container.get(parts.ids),
  keys: container.get(parts.keys),
  accounts: container.get(parts.accounts),
  outside: container.get<Ledger | null>(parts.ledger),
  limits,
});

/** An observer that fails must not change what it observes. */
const guarded =
  (inspector: Inspector | undefined, logger: Logger): Inspector =>
  (inspection) => {
    try {
      inspector?.(inspection);
    } catch (error) {
      logger.error('The inspector failed.', { error, inspection });
    }
  };
