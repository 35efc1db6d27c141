/** The settings of the server, from the environment: all have defaults, and all are validated before the start. */
import { defaultEngineLimits, type ProofSuite, proofSuites } from '@blockwork/core';
import { closestTo } from '@blockwork/core/block';
import { isIPv4 } from 'node:net';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { isDid, type ServerOptions } from '@blockwork/http-koa';
import { z } from 'zod';
import {
  assertNoDatabaseIsMeant,
  databaseAddress,
  databaseSettings,
  databaseVariables,
  type DatabaseSettings,
} from '../database/database-settings.js';
import { readEnvironment, type Environment } from '../line/environment.js';
import { exitCodes } from '../line/exit-codes.js';
import { CommandError } from '../line/failure.js';
import {
  assertNoLinkIsMeant,
  linkSettings,
  linkVariables,
  natsAddress,
  type LinkSettings,
} from '../link/link-settings.js';
import {
  assertNoLedgerIsMeant,
  ledgerSettings,
  ledgerVariables,
  type LedgerSettings,
} from '../ledger/ledger-settings.js';
import { tokenEnvironment, tokenSettings, type TokenSettings } from './token-settings.js';

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

const sandboxes = ['off', 'loopback', 'any-address'] as const;
const ledgers = ['book', 'hedera'] as const;
const logFormats = ['plain', 'json'] as const;

const amount = (fallback: string, least: number, message: string): z.ZodType<number, string | undefined> =>
  z
    .string()
    .default(fallback)
    .refine((text) => /^\d{1,9}$/.test(text) && Number(text) >= least, message)
    .transform(Number);

/** An address without credentials, parameters or fragment, since these are no part of a prefix. */
function isPrefix(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && [username, password, search, hash].every((part) => part === '');
}

const limit = z
  .string()
  .refine((text) => /^[1-9]\d{0,14}$/.test(text), 'must be a whole number, 1 or more')
  .transform(Number)
  .optional();

const addresses = z
  .string()
  .transform((list) => list.split(/[\s,]+/).filter((address) => address !== ''))
  .refine((list) => list.every(isPrefix), 'must be addresses such as https://api.example.org/v1, separated by commas')
  .default([]);

const port = z
  .string()
  .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, 'must be a port, 0 to 65535 (0: any free one)')
  .transform(Number);

const path = z
  .string()
  .transform((path) => resolve(path))
  .optional();

/** Names with more edits between them are different names, such as those of other programs. */
const EDITS_AT_MOST = 2;

/** The schema of each variable. Messages are appended to the variable's name. */
const environment = z.object({
  BLOCKWORK_PORT: port.default(3000),
  BLOCKWORK_HOST: z.string().default('127.0.0.1'),
  BLOCKWORK_DATA: z
    .string()
    .default('.blockwork')
    .transform((path) => resolve(path)),
  ...tokenEnvironment,
  BLOCKWORK_KEY_SEED: z
    .string()
    .refine((text) => Buffer.from(text, 'base64url').length === 32, 'must be 32 bytes in base64')
    .optional(),
  BLOCKWORK_DATABASE_URL: databaseAddress.optional(),
  BLOCKWORK_NATS_URL: natsAddress.optional(),
  BLOCKWORK_LEDGER: z.enum(ledgers, `must be one of ${ledgers.join(', ')}`).default('book'),
  BLOCKWORK_PROOFS: z.enum(proofSuites, `must be one of ${proofSuites.join(', ')}`).default('eddsa-jcs-2022'),
  BLOCKWORK_NODE: z.string().max(200, 'must have at most 200 characters').default(hostname()),
  BLOCKWORK_POLICIES: z.string().optional(),
  BLOCKWORK_OWNER: z
    .string()
    .refine(isDid, 'must be a DID, for example did:web:example.org')
    .default('did:example:registry'),
  BLOCKWORK_OPERATORS: z
    .string()
    .transform((list) => (list === 'none' ? [] : list.split(/[\s,]+/)))
    .refine((list) => list.every(isDid), 'must be DIDs separated by commas, or "none"')
    .optional(),
  BLOCKWORK_SECRETS: path,
  BLOCKWORK_DOCS: path,
  BLOCKWORK_TEMPLATES: path,
  BLOCKWORK_HTTP_ALLOW: addresses,
  BLOCKWORK_WEBHOOK_ALLOW: addresses,
  BLOCKWORK_CONNECTIONS: limit,
  BLOCKWORK_CALLER_REQUESTS: limit,
  BLOCKWORK_CALLER_BYTES: limit,
  BLOCKWORK_SENDS_PER_POLICY: limit,
  BLOCKWORK_LOG: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default('info'),
  BLOCKWORK_LOG_FORMAT: z.enum(logFormats, `must be one of ${logFormats.join(', ')}`).default('plain'),
  BLOCKWORK_SANDBOX: z.enum(sandboxes, `must be one of ${sandboxes.join(', ')}`).default('off'),
  BLOCKWORK_SANDBOX_ACCOUNTS: path,
  BLOCKWORK_SANDBOX_MESSAGES: path,
  BLOCKWORK_METRICS_PORT: port.optional(),
  BLOCKWORK_METRICS_HOST: z.string().default('127.0.0.1'),
  BLOCKWORK_METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, 'must be 16 or more visible ASCII characters without spaces')
    .optional(),
  BLOCKWORK_DRAIN_MS: amount('0', 0, 'must be a whole number of milliseconds'),
  BLOCKWORK_BLOCKED_MS: amount('2000', 0, 'must be a whole number of milliseconds; 0 switches the watchdog off'),
  BLOCKWORK_BLOCKED_END_MS: amount('20000', 0, 'must be a whole number of milliseconds; 0: never'),
  BLOCKWORK_JOURNAL_ENTRIES: amount(String(defaultEngineLimits.journalEntries), 1, 'must be a whole number, 1 or more'),
});

export interface Settings extends TokenSettings {
  readonly port: number;
  readonly host: string;
  /** Folder of the store and the files next to it; unused with a database. */
  readonly data: string;
  /** The database, which several nodes may share; `undefined` for files in the data folder. */
  readonly database: DatabaseSettings | undefined;
  /** The link to other instances, if any. */
  readonly link: LinkSettings | undefined;
  /** The ledger on which effects are settled; `undefined` if the books are all there is. */
  readonly ledger: LedgerSettings | undefined;
  /** What credentials and presentations are signed with. */
  readonly proofs: ProofSuite;
  /** Display name of this process among the nodes of a database. */
  readonly node: string;
  /** If `undefined`, one is generated and kept in the data folder. */
  readonly keySeed: string | undefined;
  /** Folder of policies to load, if any. */
  readonly policies: string | undefined;
  /** The identity that owns the loaded policies. */
  readonly owner: string;
  /** Identities that operate the instance, whatever their role. */
  readonly operators: readonly string[];
  /** Folder with a file per `{{secret:NAME}}`; if `undefined`, environment variables hold the values. */
  readonly secrets: string | undefined;
  /** Folder of the documentation that `/docs/` shows; if `undefined`, the one that came with the package, if any. */
  readonly documentation: string | undefined;
  /** Folder with templates for new policies, beside those that come with the package, if any. */
  readonly templates: string | undefined;
  /** Base addresses that policies may call. */
  readonly httpAllow: readonly string[];
  /** Base addresses that webhooks may be sent to; without any, webhooks are disabled. */
  readonly webhookAllow: readonly string[];
  /** A separate address that serves metrics without authentication, if any. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined;
  /** Bearer token for metrics at the server itself; if `undefined`, they are not served there. */
  readonly metricsToken: string | undefined;
  readonly log: (typeof logLevels)[number];
  readonly logFormat: (typeof logFormats)[number];
  /** Whether Guardian's accounts are emulated, and for which addresses; for development and tests. */
  readonly sandbox: (typeof sandboxes)[number];
  /** A file with accounts for the sandbox, and a folder with policy files named after messages. */
  readonly sandboxFiles: { readonly accounts: string | undefined; readonly messages: string | undefined };
  /** Milliseconds between failing readiness and closing the port. */
  readonly drainMs: number;
  /** When a blocked event loop is logged, and when it ends the process; `blockedMs` 0: nothing watches it. */
  readonly watchdog: { readonly blockedMs: number; readonly endMs: number };
  /** Number of journal entries per policy kept unarchived. */
  readonly journalEntries: number;
  /** Only the limits that are set. */
  readonly limits: Pick<ServerOptions, 'connections' | 'sendsPerPolicy' | 'callerRates'>;
}

/** Throws `CommandError` with one line per invalid variable. */
export function readSettings(variables: Environment): Settings {
  assertNoneMisspelled(variables);
  const data = readEnvironment(environment, variables);
  const { BLOCKWORK_DATABASE_URL: address, BLOCKWORK_NATS_URL: nats } = data;
  const wrong: string[] = [];
  const tokens = tokenSettings(data, (variable, message) => wrong.push(`${variable} ${message}.`));
  if (wrong.length > 0) throw refused(wrong);
  if (address === undefined) assertNoDatabaseIsMeant(variables);
  if (nats === undefined) assertNoLinkIsMeant(variables);
  const isOnLedger = data.BLOCKWORK_LEDGER === 'hedera';
  if (!isOnLedger) assertNoLedgerIsMeant(variables);
  if (data.BLOCKWORK_SANDBOX === 'off') assertNoSandboxIsMeant(variables);
  return {
    port: data.BLOCKWORK_PORT,
    host: data.BLOCKWORK_HOST,
    data: data.BLOCKWORK_DATA,
    database: address === undefined ? undefined : databaseSettings(address, variables),
    link: nats === undefined ? undefined : linkSettings(nats, variables),
    ledger: isOnLedger ? ledgerSettings(variables) : undefined,
    proofs: data.BLOCKWORK_PROOFS,
    node: data.BLOCKWORK_NODE,
    ...tokens,
    keySeed: data.BLOCKWORK_KEY_SEED,
    policies: policiesFolder(data.BLOCKWORK_POLICIES, address !== undefined),
    owner: data.BLOCKWORK_OWNER,
    operators: data.BLOCKWORK_OPERATORS ?? [data.BLOCKWORK_OWNER],
    secrets: data.BLOCKWORK_SECRETS,
    documentation: data.BLOCKWORK_DOCS,
    templates: data.BLOCKWORK_TEMPLATES,
    httpAllow: data.BLOCKWORK_HTTP_ALLOW,
    webhookAllow: data.BLOCKWORK_WEBHOOK_ALLOW,
    metrics: metricsAddress(data.BLOCKWORK_METRICS_HOST, data.BLOCKWORK_METRICS_PORT),
    metricsToken: data.BLOCKWORK_METRICS_TOKEN,
    log: data.BLOCKWORK_LOG,
    logFormat: data.BLOCKWORK_LOG_FORMAT,
    sandbox: data.BLOCKWORK_SANDBOX,
    sandboxFiles: { accounts: data.BLOCKWORK_SANDBOX_ACCOUNTS, messages: data.BLOCKWORK_SANDBOX_MESSAGES },
    drainMs: data.BLOCKWORK_DRAIN_MS,
    watchdog: { blockedMs: data.BLOCKWORK_BLOCKED_MS, endMs: data.BLOCKWORK_BLOCKED_END_MS },
    journalEntries: data.BLOCKWORK_JOURNAL_ENTRIES,
    limits: defined({
      connections: data.BLOCKWORK_CONNECTIONS,
      sendsPerPolicy: data.BLOCKWORK_SENDS_PER_POLICY,
      callerRates: defined({ requests: data.BLOCKWORK_CALLER_REQUESTS, bytes: data.BLOCKWORK_CALLER_BYTES }),
    }),
  };
}

/** A misspelled name would be ignored: a server could start on files instead of its database. Throws `CommandError`. */
function assertNoneMisspelled(variables: Environment): void {
  const settings = [...Object.keys(environment.shape), ...databaseVariables, ...linkVariables, ...ledgerVariables];
  const wrong = Object.entries(variables).flatMap(([name, value = '']) => {
    if (value === '' || settings.includes(name) || !/^BLOCKWORK_(?!SECRET_)/.test(name)) return [];
    const meant = closestTo(name, settings, EDITS_AT_MOST);
    return meant === undefined ? [] : [`${name} is no setting, and would be ignored. Did you mean ${meant}?`];
  });
  if (wrong.length > 0) throw refused(wrong);
}

/** Without a sandbox its settings would be silently ignored. Throws `CommandError`. */
function assertNoSandboxIsMeant(variables: Environment): void {
  const set = ['BLOCKWORK_SANDBOX_ACCOUNTS', 'BLOCKWORK_SANDBOX_MESSAGES'].filter((name) => variables[name] ?? '');
  if (set.length > 0) throw refused(set.map((name) => `${name} needs BLOCKWORK_SANDBOX or --sandbox, which is off.`));
}

const metricsAddress = (host: string, port: number | undefined): Settings['metrics'] =>
  port === undefined ? undefined : { host, port };

/** Nodes of a database have no default folder of policies. */
function policiesFolder(folder: string | undefined, hasDatabase: boolean): string | undefined {
  if (folder === undefined && hasDatabase) return undefined;
  return resolve(folder ?? 'policies');
}

const refused = (wrong: readonly string[]): CommandError =>
  new CommandError(exitCodes.usage, wrong.join('\n'), 'OPTION_INVALID');

/**
 * Demo identities and their tokens exist only if no other machine can use them: with a generated secret, on a loopback
 * address.
 */
export const isDemo = ({ secret, rules, host }: Pick<Settings, 'secret' | 'rules' | 'host'>): boolean =>
  secret === undefined && rules.keySet === undefined && isLoopback(host);

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
type Defined<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };

const defined = <Values extends object>(values: Values): Defined<Values> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<Values>;
