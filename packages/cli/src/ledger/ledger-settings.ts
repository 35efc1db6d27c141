/** The settings of the ledger on which effects are settled, from the environment. */
import { resolve } from 'node:path';
import { z } from 'zod';
import { readEnvironment, type Environment } from '../line/environment.js';
import { exitCodes } from '../line/exit-codes.js';
import { CommandError } from '../line/failure.js';

export interface LedgerSettings {
  readonly network: string;
  readonly operator: string;
  /** The private key itself, or the file that has it; never part of a message or a log line. */
  readonly key: { readonly text: string } | { readonly file: string };
  readonly mirror: string | undefined;
  readonly nodes: readonly { readonly account: string; readonly address: string }[] | undefined;
  readonly accounts: 'given' | 'created';
  /** Ids on the ledger by ids in policies. */
  readonly tokens: Readonly<Record<string, string>>;
  readonly parentTopic: string | undefined;
  /** Where the network's registries are announced; without it, owners of policies are not. */
  readonly initializationTopic: string | undefined;
  /** A topic that the DIDs of new identities name; without it, they are `did:key`. */
  readonly didTopic: string | undefined;
  /** HBAR that may be spent in a day. */
  readonly dailyBudget: number | undefined;
  /** HBAR that stay in the account. */
  readonly balanceFloor: number | undefined;
  /** Minutes between two checkpoints of a policy's log on the ledger; without it, none is sent. */
  readonly witnessMinutes: number | undefined;
  /** Address of a gateway of IPFS, where policies and tools are read by message. */
  readonly gateway: string | undefined;
  /** Address of the RPC of an IPFS node. */
  readonly ipfs: string | undefined;
}

const ENTITY = /^\d{1,9}\.\d{1,9}\.\d{1,18}$/;
const entity = z.string().regex(ENTITY, 'must be an id such as 0.0.1234');

const isWebAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
const webAddress = z.string().refine(isWebAddress, 'must be an http: or https: address').optional();

/** `name=value`; text without an equals sign has no name. */
const pairsIn = (list: string): [string, string][] =>
  list
    .split(/[\s,]+/)
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [, name = '', value = ''] = /^([^=]*)=(.*)$/.exec(pair) ?? [];
      return [name, value];
    });

const hbar = z
  .string()
  .regex(/^\d{1,10}(\.\d{1,8})?$/, 'must be an amount of HBAR such as 12.5')
  .transform(Number)
  .optional();

/** Their mirrors are known. */
const publicNetworks: ReadonlySet<string> = new Set(['testnet', 'mainnet', 'previewnet']);

const WITNESS_FORM = 'must be a whole number of minutes from 1 to 10080';

const variables = z.object({
  BLOCKWORK_HEDERA_NETWORK: z
    .string('must be set with BLOCKWORK_LEDGER=hedera: testnet, mainnet, previewnet or a name of your own')
    .regex(/^[\w-]{1,40}$/, 'must be 1 to 40 letters, digits, underscores and hyphens'),
  BLOCKWORK_HEDERA_OPERATOR: z
    .string('must be set with BLOCKWORK_LEDGER=hedera: the account that pays, such as 0.0.1234')
    .regex(ENTITY, 'must be an id such as 0.0.1234'),
  BLOCKWORK_HEDERA_KEY: z.string().optional(),
  BLOCKWORK_HEDERA_KEY_FILE: z
    .string()
    .transform((path) => resolve(path))
    .optional(),
  BLOCKWORK_HEDERA_MIRROR: webAddress,
  BLOCKWORK_HEDERA_NODES: z
    .string()
    .transform(pairsIn)
    .refine(
      (pairs) => pairs.length > 0 && pairs.every(([id, at]) => ENTITY.test(id) && /^[^\s/]+:\d{1,5}$/.test(at)),
      'must be nodes such as 0.0.3=node.example:50211, separated by commas',
    )
    .optional(),
  BLOCKWORK_HEDERA_ACCOUNTS: z.enum(['given', 'created'], 'must be one of given, created').default('given'),
  BLOCKWORK_HEDERA_TOKENS: z
    .string()
    .transform(pairsIn)
    .refine(
      (pairs) => pairs.every(([local, id]) => local !== '' && ENTITY.test(id)),
      'must be tokens such as 0.0.5001=0.0.1234, the id in policies first, separated by commas',
    )
    .optional(),
  BLOCKWORK_HEDERA_PARENT_TOPIC: entity.optional(),
  BLOCKWORK_HEDERA_INITIALIZATION_TOPIC: entity.optional(),
  BLOCKWORK_HEDERA_DID_TOPIC: entity.optional(),
  BLOCKWORK_HEDERA_DAILY_BUDGET: hbar,
  BLOCKWORK_HEDERA_BALANCE_FLOOR: hbar,
  BLOCKWORK_WITNESS_MINUTES: z
    .string()
    .regex(/^\d{1,5}$/, WITNESS_FORM)
    .transform(Number)
    .refine((minutes) => minutes >= 1 && minutes <= 10_080, WITNESS_FORM)
    .optional(),
  BLOCKWORK_IPFS_GATEWAY: webAddress,
  BLOCKWORK_IPFS_URL: webAddress,
});

/** The names of the variables that need a ledger. */
export const ledgerVariables: readonly string[] = Object.keys(variables.shape);

/** Throws `CommandError` for each variable that is set without a ledger, since it would be silently ignored. */
export function assertNoLedgerIsMeant(environment: Environment): void {
  const set = ledgerVariables.filter((name) => (environment[name] ?? '') !== '');
  if (set.length === 0) return;
  throw refused(set.map((name) => `${name} needs BLOCKWORK_LEDGER=hedera or --ledger hedera, which is not set.`));
}

/** Throws `CommandError` naming the invalid variables. */
export function ledgerSettings(environment: Environment): LedgerSettings {
  const read = readEnvironment(variables, environment);
  const { BLOCKWORK_HEDERA_KEY: text, BLOCKWORK_HEDERA_KEY_FILE: file } = read;
  if ((text === undefined) === (file === undefined))
    throw refused(['Set one of BLOCKWORK_HEDERA_KEY and BLOCKWORK_HEDERA_KEY_FILE: the private key of the operator.']);
  if (read.BLOCKWORK_HEDERA_MIRROR === undefined && !publicNetworks.has(read.BLOCKWORK_HEDERA_NETWORK))
    throw refused([
      `BLOCKWORK_HEDERA_MIRROR must be set for the network "${read.BLOCKWORK_HEDERA_NETWORK}": only testnet, mainnet and previewnet have a public mirror.`,
    ]);
  return {
    network: read.BLOCKWORK_HEDERA_NETWORK,
    operator: read.BLOCKWORK_HEDERA_OPERATOR,
    key: file === undefined ? { text: text ?? '' } : { file },
    mirror: read.BLOCKWORK_HEDERA_MIRROR,
    nodes: read.BLOCKWORK_HEDERA_NODES?.map(([account, address]) => ({ account, address })),
    accounts: read.BLOCKWORK_HEDERA_ACCOUNTS,
    tokens: Object.fromEntries(read.BLOCKWORK_HEDERA_TOKENS ?? []),
    parentTopic: read.BLOCKWORK_HEDERA_PARENT_TOPIC,
    initializationTopic: read.BLOCKWORK_HEDERA_INITIALIZATION_TOPIC,
    didTopic: read.BLOCKWORK_HEDERA_DID_TOPIC,
    dailyBudget: read.BLOCKWORK_HEDERA_DAILY_BUDGET,
    balanceFloor: read.BLOCKWORK_HEDERA_BALANCE_FLOOR,
    witnessMinutes: read.BLOCKWORK_WITNESS_MINUTES,
    gateway: read.BLOCKWORK_IPFS_GATEWAY,
    ipfs: read.BLOCKWORK_IPFS_URL,
  };
}

const refused = (wrong: readonly string[]): CommandError =>
  new CommandError(exitCodes.usage, wrong.join('\n'), 'OPTION_INVALID');
