/** The options of an engine, and their validation. */
import type { Container } from 'inversify';
import { isDid, type PermissionTable } from '../access/index.js';
import type { BlockType } from '../block-api/index.js';
import { optionTypes } from '../defaults/index.js';
import { checkOptions, invalidOption, type OptionsOf } from '../options/index.js';
import type { PolicyFileLimits } from '../policy/index.js';
import { proofSuites } from '../ports/index.js';
import type { Inspector } from '../telemetry/index.js';
import { isObject } from '../records/index.js';
import type { ApprovalRule, ArchiveRequests, InstanceOptions, Peer, StreamOptions } from '../requests/index.js';
import type { PolicyTemplates } from './authoring/templates.js';
import type { EngineLimits } from './limits.js';

const isPermissionTable = (value: unknown): boolean =>
  isObject(value) && Object.values(value).every((each) => Array.isArray(each) && each.every(isText));
const isText = (value: unknown): value is string => typeof value === 'string';
const isDidText = (value: unknown): boolean => isText(value) && isDid(value);

/**
 * `blocks`, `limits`, `policyFileLimits`, `instance`, `peers`, `streams` and `templates` are validated further where they
 * are used.
 */
const shape = {
  store: optionTypes.store,
  clock: optionTypes.clock,
  ids: optionTypes.ids,
  logger: optionTypes.logger,
  /** Where operators read recent log lines, such as a `recentLog`. Default: nowhere. */
  recentLog: optionTypes.logReader,
  inspector: optionTypes.as<Inspector>(optionTypes.function),
  timers: optionTypes.timers,
  link: optionTypes.link,
  /**
   * Signing keys of local identities. By default they are derived from a random seed that is lost with the process:
   * pass `new SeededKeys(seed)` when using a durable store.
   */
  keys: optionTypes.keys,
  /**
   * What credentials and presentations are signed with: `eddsa-jcs-2022`, the default, or `Ed25519Signature2018`, which the
   * reference's tools verify and which needs `linkedData`. Both are verified, and documents stay as they were signed.
   */
  proofs: optionTypes.oneOf(...proofSuites),
  /**
   * Reads documents as linked data, such as `linkedData()` of `@blockwork/linked-data`, to verify proofs of the suite
   * `Ed25519Signature2018`. Default: such proofs are refused.
   */
  linkedData: optionTypes.linkedData,
  /**
   * What the identities that the engine makes for subjects are called, such as `hederaDids(...)` of
   * `@blockwork/ledger-hedera`. Default: `did:key`.
   */
  didMethod: optionTypes.didMethod,
  /** Ledger accounts of identities. Default: derived from the DID. */
  accounts: optionTypes.accounts,
  /**
   * An external ledger on which effects are settled after the commit. Default: none; the policies' books are the
   * ledger.
   */
  ledger: optionTypes.ledger,
  /**
   * Every so many minutes, a checkpoint of each published policy's log that has grown is sent to `ledger`, and the log is compared with the
   * newest one there. Default: never.
   */
  witnessMinutes: optionTypes.wholeNumber(1, 10_080),
  /** Source of tools that policies refer to. Default: none; tools are imported with `tools.import` only. */
  toolSource: optionTypes.toolSource,
  /** Reads policies that were published on a ledger, for importing them by message. Default: none. */
  publications: optionTypes.publications,
  /** Delivers notifications beyond the inboxes. Default: none. */
  notifications: optionTypes.notifications,
  /** Sends webhooks. Without it, none can be registered. */
  webhooks: optionTypes.webhookSender,
  /** Values of `{{secret:NAME}}` in policies. Default: the environment variables `BLOCKWORK_SECRET_NAME`. */
  secrets: optionTypes.secrets,
  /** Platform permissions by role. Replaces the default table. */
  permissionTable: optionTypes.satisfying<PermissionTable>(
    isPermissionTable,
    'must have a list of permissions for each platform role',
  ),
  /**
   * Identities (DIDs) that run this instance, whatever their role: they have the role `OPERATOR` as well. Default: none;
   * a registry has no access to what concerns all policies, such as the log.
   */
  operators: optionTypes.list(optionTypes.satisfying<string>(isDidText, 'must be a DID')),
  /** Block types in addition to the interface blocks; one of the same name replaces a standard one. */
  blocks: optionTypes.as<readonly BlockType[]>(optionTypes.list()),
  limits: optionTypes.as<Partial<EngineLimits>>(optionTypes.object),
  policyFileLimits: optionTypes.as<Partial<PolicyFileLimits>>(optionTypes.object),
  /**
   * This instance's id and signing key for messages to other instances. Without it, the instance neither sends nor
   * accepts requests.
   */
  instance: optionTypes.as<InstanceOptions>(optionTypes.object),
  /** Trusted peers. Default: none. Can be changed at run time with `engine.program.requests.peers`. */
  peers: optionTypes.as<readonly Peer[]>(optionTypes.list(optionTypes.object)),
  /** Event streams shared with peers: peer names by stream. Default: none; events stay in this instance. */
  streams: optionTypes.as<StreamOptions>(optionTypes.object),
  /** Requests of peers to approve automatically. Default: none. */
  autoApprove: optionTypes.as<ApprovalRule>(optionTypes.function),
  /**
   * Receives closed requests before they are removed, `limits.closedRequestMs` after closing. Default: they are only
   * removed.
   */
  archiveRequests: optionTypes.as<ArchiveRequests>(optionTypes.function),
  /**
   * Signs with the keys of this instance's users on request of other instances. Without it, such requests are refused.
   */
  sign: optionTypes.signer,
  /** Instances whose messages the program hands in with `engine.program.requests.receive` and vouches for. */
  trustedInstances: optionTypes.list(optionTypes.text),
  /**
   * Who sees the drafts and dry runs of others: nobody but their members (`private`, the default), or everybody, as on a
   * machine for development (`shared`).
   */
  drafts: optionTypes.oneOf('private', 'shared'),
  /** What new policies can begin as, in addition to an empty one; a function is called each time when somebody asks. */
  templates: optionTypes.satisfying<PolicyTemplates>(
    (value) => Array.isArray(value) || typeof value === 'function',
    'must be a list of templates, or a function that resolves to one',
  ),
  /** This process's display name for operators, if several share a store. */
  nodeName: optionTypes.text,
  /** Called with the container before any service is created: rebind any of `serviceIds` to replace it. */
  configure: optionTypes.as<(container: Container) => void>(optionTypes.function),
};

/** All options are optional: by default the engine runs in memory. The engine closes the ports you pass in. */
export type EngineOptions = OptionsOf<typeof shape>;

/** Throws `OPTION_INVALID`. */
export function checkEngineOptions(options: EngineOptions): void {
  checkOptions(options, shape, '', 'createEngine');
  if (options.proofs === 'Ed25519Signature2018' && options.linkedData === undefined)
    throw invalidOption('proofs', 'Ed25519Signature2018 needs the option linkedData');
}
