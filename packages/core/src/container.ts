/** The composition root: puts an engine together, from the parts given and defaults for the rest. */
import 'reflect-metadata';
import { Container } from 'inversify';
import { defaultPermissionTable, type PermissionTable } from './access/index.js';
import { CommitWatch, joseSignatures, requestServices, TrustedPeers } from './approvals/index.js';
import type { ApprovalRule, InstanceOptions, Peer, RequestServices, Signatures } from './approvals/index.js';
import { interfaceBlocks } from './blocks/index.js';
import { engineLimits, type EngineLimits } from './engine-limits.js';
import { PolicyEngine } from './engine.js';
import {
  MemoryLedger,
  MemoryLink,
  MemoryStore,
  randomIds,
  silentLogger,
  systemClock,
  systemTimers,
} from './memory/index.js';
import { policyFileLimits, type PolicyFileLimits } from './policy/index.js';
import type {
  Clock,
  CredentialSigner,
  Ids,
  Inspector,
  Ledger,
  Link,
  Logger,
  PolicyStore,
  Timers,
} from './ports/index.js';
import { RequestDesk } from './request-desk.js';
import {
  AnswerCache,
  blockRegistry,
  DocumentIntake,
  Executor,
  PolicyIntake,
  PolicyLibrary,
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

/** The parts of an engine, as the container knows them. */
export const parts = {
  store: Symbol('PolicyStore'),
  clock: Symbol('Clock'),
  ids: Symbol('Ids'),
  logger: Symbol('Logger'),
  inspector: Symbol('Inspector'),
  link: Symbol('Link'),
  ledger: Symbol('Ledger'),
  permissionTable: Symbol('PermissionTable'),
  blockRegistry: Symbol('BlockRegistry'),
  library: Symbol('PolicyLibrary'),
  executor: Symbol('Executor'),
  workflow: Symbol('Workflow'),
  answers: Symbol('AnswerCache'),
  intake: Symbol('PolicyIntake'),
  documents: Symbol('DocumentIntake'),
  timers: Symbol('Timers'),
  signatures: Symbol('Signatures'),
  commits: Symbol('CommitWatch'),
  requests: Symbol('RequestServices'),
  engine: Symbol('PolicyEngine'),
} as const;

/** Makes an engine. Throws `OPTION_INVALID`, naming the option and what is wrong with it. */
export function createEngine(options: EngineOptions = {}): PolicyEngine {
  const container = new Container({ defaultScope: 'Singleton' });
  bindPorts(container, options);
  bindServices(container, options);
  options.configure?.(container);
  const engine = container.get<PolicyEngine>(parts.engine);
  container.get<RequestServices>(parts.requests).start();
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
  container.bind<Ledger>(parts.ledger).toDynamicValue(() => options.ledger ?? new MemoryLedger(clock));
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
    const onCommit = commits.notice.bind(commits);
    return new Executor(get(parts.store), { conflictRetries: limits.conflictRetries, onCommit });
  });
  bind(parts.workflow, () => new Workflow(get(parts.store), get(parts.library), runTools(container, limits)));
  bind(parts.answers, () => new AnswerCache(get(parts.store), limits));
  bind(parts.intake, () => new PolicyIntake({ ...ports(), ledger: get(parts.ledger), limits: fileLimits }));
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
    requests: new RequestDesk({ services, library, store, permissionTable }),
    approvals: services.approvals,
    permissionTable,
    inspector: container.get(parts.inspector),
    release: async () => {
      await services.stop();
      await link.close();
      await store.close();
    },
  });
}

const runTools = (container: Container, limits: EngineLimits): RunTools => ({
  registry: container.get(parts.blockRegistry),
  clock: container.get(parts.clock),
  ids: container.get(parts.ids),
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
