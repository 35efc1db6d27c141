/** The options of an engine, and their validation. */
import type { Container } from 'inversify';
import { isDid, type PermissionTable } from '../access/index.js';
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

/** All options are optional: by default the engine runs in memory. The engine closes the ports you pass in. */
export interface EngineOptions {
  readonly store?: PolicyStore;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly logger?: Logger;
  /** Where operators read recent log lines, such as a `recentLog`. Default: nowhere. */
  readonly recentLog?: LogReader;
  readonly inspector?: Inspector;
  readonly timers?: Timers;
  readonly link?: Link;
  /**
   * Signing keys of local identities. By default they are derived from a random seed that is lost with the process:
   * pass `new SeededKeys(seed)` when using a durable store.
   */
  readonly keys?: Keys;
  /** Ledger accounts of identities. Default: derived from the DID. */
  readonly accounts?: Accounts;
  /**
   * An external ledger on which effects are settled after the commit. Default: none; the policies' books are the
   * ledger.
   */
  readonly ledger?: Ledger;
  /** Source of tools that policies refer to. Default: none; tools are imported with `tools.import` only. */
  readonly toolSource?: ToolSource;
  /** Delivers notifications beyond the inboxes. Default: none. */
  readonly notifications?: Notifications;
  /** Sends webhooks. Without it, none can be registered. */
  readonly webhooks?: WebhookSender;
  /** Values of `{{secret:NAME}}` in policies. Default: the environment variables `BLOCKWORK_SECRET_NAME`. */
  readonly secrets?: Secrets;
  /** Platform permissions by role. Replaces the default table. */
  readonly permissionTable?: PermissionTable;
  /**
   * Identities (DIDs) that run this instance, whatever their role: they have the role `OPERATOR` as well. Default: none;
   * a registry has no access to what concerns all policies, such as the log.
   */
  readonly operators?: readonly string[];
  /** Block types in addition to the interface blocks; one of the same name replaces a standard one. */
  readonly blocks?: readonly BlockType[];
  readonly limits?: Partial<EngineLimits>;
  readonly policyFileLimits?: Partial<PolicyFileLimits>;
  /**
   * This instance's id and signing key for messages to other instances. Without it, the instance neither sends nor
   * accepts requests.
   */
  readonly instance?: InstanceOptions;
  /** Trusted peers. Default: none. Can be changed at run time with `engine.program.requests.peers`. */
  readonly peers?: readonly Peer[];
  /** Event streams shared with peers: peer names by stream. Default: none; events stay in this instance. */
  readonly streams?: StreamOptions;
  /** Requests of peers to approve automatically. Default: none. */
  readonly autoApprove?: ApprovalRule;
  /**
   * Receives closed requests before they are removed, `limits.closedRequestMs` after closing. Default: they are only
   * removed.
   */
  readonly archiveRequests?: ArchiveRequests;
  /**
   * Signs with the keys of this instance's users on request of other instances. Without it, such requests are refused.
   */
  readonly sign?: CredentialSigner;
  /** Instances whose messages the program hands in with `engine.program.requests.receive` and vouches for. */
  readonly trustedInstances?: readonly string[];
  /**
   * Who sees the drafts and dry runs of others: nobody but their members (`private`, the default), or everybody, as on a
   * machine for development (`shared`).
   */
  readonly drafts?: 'private' | 'shared';
  /** This process's display name for operators, if several share a store. */
  readonly nodeName?: string;
  /** Called with the container before any service is created: rebind any of `serviceIds` to replace it. */
  readonly configure?: (container: Container) => void;
}

const isPermissionTable = (value: unknown): boolean =>
  isObject(value) && Object.values(value).every((each) => Array.isArray(each) && each.every(isText));
const isText = (value: unknown): value is string => typeof value === 'string';
const isDidText = (value: unknown): boolean => isText(value) && isDid(value);

/**
 * `blocks`, `limits`, `policyFileLimits`, `instance`, `peers` and `streams` are validated further where they are used.
 */
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
  operators: optionTypes.list(optionTypes.satisfying(isDidText, 'must be a DID')),
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
  drafts: optionTypes.oneOf('private', 'shared'),
  nodeName: optionTypes.text,
  configure: optionTypes.function,
};

/** Throws `OPTION_INVALID`. */
export const checkEngineOptions = (options: EngineOptions): void => checkOptions(options, shape, '', 'createEngine');
