/** The options of the ledger, their validation and defaults. */
import { randomIds, silentLogger, systemClock, systemTimers } from '@blockwork/core';
import type { Clock, Ids, Logger, PolicyStore, Timers } from '@blockwork/core';
import { checkOptions, invalidOption, optionTypes, type OptionShape } from '@blockwork/core/adapter';
import { isWebAddress } from './network/http.js';
import { tinybarsOf } from './costs/hbar.js';
import type { FileStore } from './files/file-store.js';
import type { NodeAddress } from './network/nodes.js';
import { mirrors } from './network/public-mirrors.js';
import type { Signer } from './wire/signer.js';

export interface HederaLedgerOptions {
  /** The engine's store: transactions are kept there before they are sent. Never closed by the ledger. */
  readonly store: PolicyStore;
  /** `mainnet`, `testnet`, `previewnet`, or a name of your own. The store is bound to it from the first effect on. */
  readonly network: string;
  /** Address of the mirror node up to `/api`; has a default for the three public networks. */
  readonly mirror?: string;
  /** Consensus nodes; by default those that the mirror lists. */
  readonly nodes?: readonly NodeAddress[];
  /** The account that pays, and is the treasury and the holder of all keys of what is made: `0.0.<n>`. */
  readonly operator: string;
  readonly signer: Signer;
  /**
   * `given` (default): accounts in the book are accounts of the ledger, and associate themselves with tokens. `created`:
   * each account of the book gets one on the ledger, whose key is the operator's.
   */
  readonly accounts?: 'given' | 'created';
  /** Tokens of the book that exist on the ledger: its id for each of theirs. All others are created. */
  readonly tokens?: Readonly<Record<string, string>>;
  /** A topic of the operator in which the topics of policies are announced. */
  readonly parentTopic?: string;
  /** The topic in which the network's registries are announced: owners of policies are announced there, and have a topic of their own. */
  readonly initializationTopic?: string;
  /** Where the files of documents are put; without it, messages name their hash. */
  readonly files?: FileStore;
  /** HBAR that may be spent in a day (UTC), transactions under way counted at their most; unlimited by default. */
  readonly dailyBudget?: number;
  /** HBAR that stay in the operator's account: below it, nothing is begun; 0 by default. */
  readonly balanceFloor?: number;
  /** Milliseconds until a node or the mirror must have answered; default 10,000. */
  readonly answerMs?: number;
  /** Milliseconds between two questions; default 1000. */
  readonly pollMs?: number;
  /** How often is asked before an effect is left for later; default 15. */
  readonly polls?: number;
  readonly clock?: Clock;
  readonly timers?: Timers;
  readonly ids?: Ids;
  readonly logger?: Logger;
}

export interface ResolvedOptions {
  readonly store: PolicyStore;
  readonly network: string;
  readonly mirror: string;
  readonly nodes: readonly NodeAddress[] | null;
  readonly operator: string;
  readonly signer: Signer;
  readonly createsAccounts: boolean;
  readonly tokens: Readonly<Record<string, string>>;
  readonly parentTopic: string | null;
  readonly initializationTopic: string | null;
  readonly files: FileStore | null;
  /** Tinybars. */
  readonly dailyBudget: bigint | null;
  readonly balanceFloor: bigint | null;
  readonly answerMs: number;
  readonly pace: { readonly pollMs: number; readonly polls: number };
  readonly clock: Clock;
  readonly timers: Timers;
  readonly ids: Ids;
  readonly logger: Logger;
}

const isEntity = (value: unknown): boolean => typeof value === 'string' && /^\d{1,9}\.\d{1,9}\.\d{1,18}$/.test(value);
const entity = optionTypes.satisfying(isEntity, 'must be an id such as 0.0.1234');
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const isNode = (value: unknown): boolean =>
  isRecord(value) && isEntity(value['account']) && /^[^\s/]+:\d{1,5}$/.test(String(value['address']));

const keyBytes = { ed25519: 32, secp256k1: 33 } as const;
const isSigner = (value: unknown): boolean =>
  isRecord(value) &&
  (value['type'] === 'ed25519' || value['type'] === 'secp256k1') &&
  value['publicKey'] instanceof Uint8Array &&
  value['publicKey'].length === keyBytes[value['type']] &&
  typeof value['sign'] === 'function';

/** All HBAR that there are. */
const SUPPLY = 50_000_000_000;
const hbar = optionTypes.satisfying(
  (value) => typeof value === 'number' && value >= 0 && value <= SUPPLY,
  'must be an amount of HBAR, 0 or more',
);

const shape: OptionShape<HederaLedgerOptions> = {
  store: optionTypes.store,
  network: optionTypes.satisfying(
    (value) => typeof value === 'string' && /^[\w-]{1,40}$/.test(value),
    'must be "mainnet", "testnet", "previewnet" or a name of 1 to 40 letters, digits, underscores and hyphens',
  ),
  mirror: optionTypes.satisfying(isWebAddress, 'must be an address such as https://mirror.example'),
  nodes: optionTypes.satisfying(
    (value) => Array.isArray(value) && value.length > 0 && value.every(isNode),
    'must be a list of {address: "host:port", account: "0.0.3"}',
  ),
  operator: entity,
  signer: optionTypes.satisfying(isSigner, 'must have a type, the public key in raw bytes, and a function sign'),
  accounts: optionTypes.oneOf('given', 'created'),
  tokens: optionTypes.satisfying(
    (value) => isRecord(value) && Object.values(value).every(isEntity),
    'must give an id such as 0.0.1234 for each token of the book',
  ),
  parentTopic: entity,
  initializationTopic: entity,
  files: optionTypes.satisfying(
    (value) => isRecord(value) && typeof value['put'] === 'function',
    'must have the method put',
  ),
  dailyBudget: hbar,
  balanceFloor: hbar,
  answerMs: optionTypes.milliseconds(1),
  pollMs: optionTypes.milliseconds(1),
  polls: optionTypes.wholeNumber(1, 10_000),
  clock: optionTypes.clock,
  timers: optionTypes.timers,
  ids: optionTypes.ids,
  logger: optionTypes.logger,
};

/** Throws `OPTION_INVALID`. */
export function resolveOptions(options: HederaLedgerOptions): ResolvedOptions {
  checkOptions(options, shape, '', 'openHederaLedger');
  for (const name of ['store', 'network', 'operator', 'signer'] as const)
    if ((options as Partial<HederaLedgerOptions>)[name] === undefined) throw invalidOption(name, 'it must be given');
  const mirror = options.mirror ?? mirrors[options.network];
  if (mirror === undefined) throw invalidOption('mirror', `it must be given for the network "${options.network}"`);
  return {
    store: options.store,
    network: options.network,
    mirror,
    nodes: options.nodes ?? null,
    operator: options.operator,
    signer: options.signer,
    createsAccounts: options.accounts === 'created',
    tokens: options.tokens ?? {},
    parentTopic: options.parentTopic ?? null,
    initializationTopic: options.initializationTopic ?? null,
    files: options.files ?? null,
    dailyBudget: options.dailyBudget === undefined ? null : tinybarsOf(options.dailyBudget),
    balanceFloor: options.balanceFloor === undefined ? null : tinybarsOf(options.balanceFloor),
    answerMs: options.answerMs ?? 10_000,
    pace: { pollMs: options.pollMs ?? 1000, polls: options.polls ?? 15 },
    clock: options.clock ?? systemClock,
    timers: options.timers ?? systemTimers,
    ids: options.ids ?? randomIds,
    logger: options.logger ?? silentLogger,
  };
}
