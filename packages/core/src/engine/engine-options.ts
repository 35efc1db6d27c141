/** The options of an engine, and their check. */
import type { Container } from 'inversify';
import type { PermissionTable } from '../access/index.js';
import type { BlockType } from '../block-api/index.js';
import { checkOptions, optionTypes, type OptionShape } from '../options/index.js';
import type { PolicyFileLimits } from '../policy/index.js';
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
  LogReader,
  Notifications,
  PolicyStore,
  Secrets,
  Timers,
  ToolSource,
  WebhookSender,
} from '../ports/index.js';
import { isObject } from '../records/index.js';
import type { ApprovalRule, ArchiveRequests, InstanceOptions, Peer, StreamOptions } from '../requests/index.js';
import type { EngineLimits } from './limits.js';

/** Everything is optional: without options the engine lives in memory. Ports that are given are closed with the engine. */
export interface EngineOptions {
  readonly store?: PolicyStore;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly logger?: Logger;
  /** Where operators find the last lines of the log, such as a `recentLog`; nowhere when absent. */
  readonly recentLog?: LogReader;
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
  /** Where tools can be had that policies refer to; when absent, they are imported with `tools.import` only. */
  readonly toolSource?: ToolSource;
  /** Where notifications go besides the inboxes; nowhere when absent. */
  readonly notifications?: Notifications;
  /** Sends webhooks; without it, none can be registered. */
  readonly webhooks?: WebhookSender;
  /** Values that policies refer to as `{{secret:NAME}}`; when absent, those of the environment, `BLOCKWORK_SECRET_NAME`. */
  readonly secrets?: Secrets;
  /** Platform role -> permissions. Replaces the default table. */
  readonly permissionTable?: PermissionTable;
  /** Block types of your own, beside the interface blocks; one of the same name replaces a standard one. */
  readonly blocks?: readonly BlockType[];
  readonly limits?: Partial<EngineLimits>;
  readonly policyFileLimits?: Partial<PolicyFileLimits>;
  /** What this instance is called among others, and what it signs with; without it, it neither asks others nor hears them. */
  readonly instance?: InstanceOptions;
  /** The instances whose messages are believed; none by default. `engine.program.requests.peers` changes them while it runs. */
  readonly peers?: readonly Peer[];
  /** Streams of events that are shared with peers: their names, by stream. None by default: events stay in this instance. */
  readonly streams?: StreamOptions;
  /** Which requests of peers are approved without a person; none by default. */
  readonly autoApprove?: ApprovalRule;
  /** Takes requests that are about to be removed because they were closed `limits.closedRequestMs` ago; they are only removed by default. */
  readonly archiveRequests?: ArchiveRequests;
  /** The keys of this instance's users, for signatures that others ask for; without it, they are refused. */
  readonly sign?: CredentialSigner;
  /** Names of instances that the program vouches for when it hands in their messages with `engine.program.requests.receive`. */
  readonly trustedInstances?: readonly string[];
  /** What operators call this process, where others share its store. */
  readonly nodeName?: string;
  /** Called with the container before anything is made: rebind any of `serviceIds` to replace that service. */
  readonly configure?: (container: Container) => void;
}

const isPermissionTable = (value: unknown): boolean =>
  isObject(value) && Object.values(value).every((each) => Array.isArray(each) && each.every(isText));
const isText = (value: unknown): boolean => typeof value === 'string';

/** `blocks`, `limits`, `policyFileLimits`, `instance`, `peers` and `streams` are checked further where they are used. */
const shape: OptionShape<EngineOptions> = {
  store: optionTypes.store,
  clock: optionTypes.clock,
  ids: optionTypes.ids,
  logger: optionTypes.logger,
  recentLog: optionTypes.logReader,
  inspector: optionTypes.function,
  timers: optionTypes.timers,
  link: optionTypes.link,
  keys: optionTypes.keys,
  accounts: optionTypes.accounts,
  ledger: optionTypes.ledger,
  toolSource: optionTypes.toolSource,
  notifications: optionTypes.notifications,
  webhooks: optionTypes.webhookSender,
  secrets: optionTypes.secrets,
  permissionTable: optionTypes.satisfying(isPermissionTable, 'must have a list of permissions for each platform role'),
  blocks: optionTypes.list(),
  limits: optionTypes.object,
  policyFileLimits: optionTypes.object,
  instance: optionTypes.object,
  peers: optionTypes.list(optionTypes.object),
  streams: optionTypes.object,
  autoApprove: optionTypes.function,
  archiveRequests: optionTypes.function,
  sign: optionTypes.signer,
  trustedInstances: optionTypes.list(optionTypes.text),
  nodeName: optionTypes.text,
  configure: optionTypes.function,
};

/** Throws `OPTION_INVALID`. */
export const checkEngineOptions = (options: EngineOptions): void => checkOptions(options, shape, '', 'createEngine');
