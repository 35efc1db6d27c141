/** The composition root: puts an engine together, from the parts given and defaults for the rest. */
import 'reflect-metadata';
import { Container } from 'inversify';
import { defaultPermissionTable, type PermissionTable } from '../access/index.js';
import { CommitListeners } from '../transactions/index.js';
import { joseSignatures, requestServices, TrustedPeers } from '../requests/index.js';
import type { ApprovalRule, InstanceOptions, Peer, RequestServices, Signatures } from '../requests/index.js';
import { interfaceBlocks } from '../blocks/index.js';
import { engineLimits, type EngineLimits } from './limits.js';
import { PolicyEngine } from './engine.js';
import { PolicyLifecycle } from '../lifecycle/index.js';
import { DerivedAccounts, randomIds, SeededKeys, silentLogger, systemClock, systemTimers } from '../defaults/index.js';
import { MemoryLink, MemoryStore } from '../memory/index.js';
import { serviceIds } from './service-ids.js';
import { policyFileLimits, type PolicyFileLimits } from '../policy/index.js';
import type {
  Accounts,
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
} from '../ports/index.js';
import { TimerQueue, LedgerOutbox } from '../background/index.js';
import {
  AnswerCache,
  blockRegistry,
  PolicyImporter,
  CompiledPolicyCache,
  type BlockRegistry,
} from '../catalog/index.js';
import { DocumentImporter } from './document-importer.js';
import { Executor } from '../transactions/index.js';
import { BlockTimers, Workflow, type RunDeps } from '../runtime/index.js';
import type { AnyBlockType } from '../block-api/index.js';

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
  readonly blocks?: readonly AnyBlockType[];
  readonly limits?: Partial<EngineLimits>;
  readonly policyFileLimits?: Partial<PolicyFileLimits>;
  /** What this instance is called among others, and what it signs with; without it, it neither asks others nor hears them. */
  readonly instance?: InstanceOptions;
  /** The instances whose messages are believed; none by default. `engine.program.requests.peers` changes them while it runs. */
  readonly peers?: readonly Peer[];
  /** Which requests of peers are approved without a person; none by default. */
  readonly autoApprove?: ApprovalRule;
  /** The keys of this instance's users, for signatures that others ask for; without it, they are refused. */
  readonly sign?: CredentialSigner;
  /** Names of instances that the program vouches for when it hands in their messages with `engine.program.requests.receive`. */
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
  const engine = container.get<PolicyEngine>(serviceIds.engine);
  registerCommitListeners(container);
  container.get<RequestServices>(serviceIds.requests).start();
  container.get<TimerQueue>(serviceIds.timerQueue).start();
  container.get<LedgerOutbox | null>(serviceIds.ledgerOutbox)?.start();
  return engine;
}

function bindPorts(container: Container, options: EngineOptions): void {
  const clock = options.clock ?? systemClock;
  const logger = options.logger ?? silentLogger;
  container.bind<Clock>(serviceIds.clock).toConstantValue(clock);
  container.bind<Logger>(serviceIds.logger).toConstantValue(logger);
  container.bind<Ids>(serviceIds.ids).toConstantValue(options.ids ?? randomIds);
  container.bind<Inspector>(serviceIds.inspector).toConstantValue(guarded(options.inspector, logger));
  container.bind<PolicyStore>(serviceIds.store).toDynamicValue(() => options.store ?? new MemoryStore());
  const timers = options.timers ?? systemTimers;
  container.bind<Timers>(serviceIds.timers).toConstantValue(timers);
  container.bind<Signatures>(serviceIds.signatures).toConstantValue(joseSignatures);
  container.bind<Link>(serviceIds.link).toDynamicValue(() => options.link ?? new MemoryLink({ clock, logger, timers }));
  container.bind<Keys>(serviceIds.keys).toDynamicValue(() => options.keys ?? new SeededKeys());
  container.bind<Accounts>(serviceIds.accounts).toDynamicValue(() => options.accounts ?? new DerivedAccounts());
  container.bind<Ledger | null>(serviceIds.ledger).toConstantValue(options.ledger ?? null);
  container
    .bind<PermissionTable>(serviceIds.permissionTable)
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
    store: get<PolicyStore>(serviceIds.store),
    clock: get<Clock>(serviceIds.clock),
    ids: get<Ids>(serviceIds.ids),
    inspector: get<Inspector>(serviceIds.inspector),
    executor: get<Executor>(serviceIds.executor),
  });

  bind(serviceIds.blockRegistry, () => blockRegistry(blocks));
  bind(
    serviceIds.policies,
    () => new CompiledPolicyCache(get(serviceIds.store), get<BlockRegistry>(serviceIds.blockRegistry), limits),
  );
  bind(serviceIds.commitListeners, () => new CommitListeners());
  bind(
    serviceIds.executor,
    () => new Executor({ store: get(serviceIds.store), commits: get(serviceIds.commitListeners), limits }),
  );
  bind(
    serviceIds.workflow,
    () => new Workflow(get(serviceIds.store), get(serviceIds.policies), runTools(container, limits)),
  );
  bind(serviceIds.blockTimers, () => new BlockTimers({ ...running(container), limits }));
  bind(
    serviceIds.lifecycle,
    () =>
      new PolicyLifecycle({
        ...running(container),
        store: get(serviceIds.store),
        blockTimers: get(serviceIds.blockTimers),
        run: runTools(container, limits),
      }),
  );
  bind(serviceIds.timerQueue, () => makeTimerQueue(container));
  bind(serviceIds.ledgerOutbox, () => makeLedgerOutbox(container));
  bind(serviceIds.answers, () => new AnswerCache(get(serviceIds.store), limits));
  bind(serviceIds.importer, () => new PolicyImporter({ ...ports(), limits: fileLimits }));
  bind(serviceIds.documents, () => new DocumentImporter(get(serviceIds.executor), get(serviceIds.policies), ports()));
  bind(serviceIds.requests, () =>
    requestServices(
      {
        ...ports(),
        link: get(serviceIds.link),
        timers: get(serviceIds.timers),
        logger: get(serviceIds.logger),
        policies: get(serviceIds.policies),
        importer: get(serviceIds.importer),
        workflow: get(serviceIds.workflow),
        signatures: get(serviceIds.signatures),
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
  bind(serviceIds.engine, () => makeEngine(container));
}

function makeEngine(container: Container): PolicyEngine {
  const store = container.get<PolicyStore>(serviceIds.store);
  const link = container.get<Link>(serviceIds.link);
  const services = container.get<RequestServices>(serviceIds.requests);
  return new PolicyEngine({
    store,
    policies: container.get(serviceIds.policies),
    importer: container.get(serviceIds.importer),
    documents: container.get(serviceIds.documents),
    workflow: container.get(serviceIds.workflow),
    answers: container.get(serviceIds.answers),
    executor: container.get(serviceIds.executor),
    registry: container.get(serviceIds.blockRegistry),
    lifecycle: container.get(serviceIds.lifecycle),
    schedule: container.get(serviceIds.timerQueue),
    blockTimers: container.get(serviceIds.blockTimers),
    requests: services,
    permissionTable: container.get(serviceIds.permissionTable),
    inspector: container.get(serviceIds.inspector),
    release: async () => {
      await container.get<TimerQueue>(serviceIds.timerQueue).stop();
      await container.get<LedgerOutbox | null>(serviceIds.ledgerOutbox)?.stop();
      await container.get<Ledger | null>(serviceIds.ledger)?.close();
      await services.stop();
      await link.close();
      await store.close();
    },
  });
}

const running = (container: Container) => ({
  executor: container.get<Executor>(serviceIds.executor),
  policies: container.get<CompiledPolicyCache>(serviceIds.policies),
  workflow: container.get<Workflow>(serviceIds.workflow),
  registry: container.get<BlockRegistry>(serviceIds.blockRegistry),
  clock: container.get<Clock>(serviceIds.clock),
});

/** Everything that hears of a commit, in this order. */
function registerCommitListeners(container: Container): void {
  const ledgerOutbox = container.get<LedgerOutbox | null>(serviceIds.ledgerOutbox);
  container
    .get<CommitListeners>(serviceIds.commitListeners)
    .register(
      ...container.get<RequestServices>(serviceIds.requests).commitListeners,
      container.get<TimerQueue>(serviceIds.timerQueue),
      ...(ledgerOutbox === null ? [] : [ledgerOutbox]),
    );
}

const makeTimerQueue = (container: Container): TimerQueue =>
  new TimerQueue({
    store: container.get(serviceIds.store),
    clock: container.get(serviceIds.clock),
    timers: container.get(serviceIds.timers),
    logger: container.get(serviceIds.logger),
    handlers: {
      ...container.get<BlockTimers>(serviceIds.blockTimers).timerHandlers,
      ...container.get<PolicyLifecycle>(serviceIds.lifecycle).timerHandlers,
    },
  });

/** `null` where there is no ledger outside to settle on. */
function makeLedgerOutbox(container: Container): LedgerOutbox | null {
  const ledger = container.get<Ledger | null>(serviceIds.ledger);
  if (ledger === null) return null;
  return new LedgerOutbox({
    store: container.get(serviceIds.store),
    clock: container.get(serviceIds.clock),
    logger: container.get(serviceIds.logger),
    inspector: container.get(serviceIds.inspector),
    ledger,
    timers: container.get(serviceIds.timers),
  });
}

const runTools = (container: Container, limits: EngineLimits): RunDeps => ({
  registry: container.get(serviceIds.blockRegistry),
  clock: container.get(serviceIds.clock),
  ids: container.get(serviceIds.ids),
  keys: container.get(serviceIds.keys),
  accounts: container.get(serviceIds.accounts),
  outside: container.get<Ledger | null>(serviceIds.ledger),
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
