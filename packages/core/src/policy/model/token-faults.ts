/** What is wrong with the description of a token, or of a template that users complete: what a ledger could not keep. */
import { hintAt, meantBy } from '../../options/index.js';
import { MAX_DECIMALS, tokenType } from '../../records/index.js';
import type { Finding } from './policy-model.js';
import { quote } from './quote.js';

export interface TokenFault {
  readonly member: string;
  /** The rest of a sentence that begins with the token. */
  readonly fault: string;
  readonly severity: Finding['severity'];
  /** What was probably meant there. */
  readonly meant?: string | undefined;
}

type Description = Readonly<Record<string, unknown>>;

/** Names are cut at this length when a token is created on Hedera. */
const NAME_BYTES = 100;

const names = ['tokenName', 'tokenSymbol'];
const flags = ['changeSupply', 'enableAdmin', 'enableKYC', 'enableFreeze', 'enableWipe'];

/** Absent members have no faults. */
export const tokenFaults = (token: Description): TokenFault[] => [
  ...typeFaults(token),
  ...decimalsFaults(token),
  ...supplyFaults(token),
  ...names.flatMap((name) => nameFaults(name, token[name])),
  ...flags.flatMap((name) => flagFaults(name, token[name])),
];

/** Users fill in what is blank, and its types were checked when it was read. */
export function templateFaults(template: Description): TokenFault[] {
  const filled = Object.fromEntries(Object.entries(template).filter(([, value]) => value !== ''));
  return tokenFaults(filled);
}

function typeFaults({ tokenType: type }: Description): TokenFault[] {
  if (isAbsent(type) || tokenType.safeParse(type).success) return [];
  const meant = meantBy(typeof type === 'string' ? type : '', tokenType.options);
  const fault = `has the tokenType ${quote(type)}, which is none of ${tokenType.options.join(', ')}${hintAt(meant)}`;
  return [{ ...warning('tokenType', fault), meant }];
}

/** The ledger refuses each mint of a token whose decimals it cannot keep; those of a non-fungible token it ignores. */
function decimalsFaults({ decimals, tokenType: type }: Description): TokenFault[] {
  if (isAbsent(decimals) || isCount(decimals, MAX_DECIMALS)) return [];
  const range = `whole number from 0 to ${String(MAX_DECIMALS)}`;
  const fault = `has ${quote(decimals)} decimals, which is no ${range}. Write a ${range}`;
  return [{ member: 'decimals', fault, severity: type === 'non-fungible' ? 'warning' : 'error' }];
}

const isCount = (value: unknown, most: number): boolean =>
  /^\d{1,2}$/.test(typeof value === 'string' || typeof value === 'number' ? String(value) : '') &&
  Number(value) <= most;

/** A treasury would have it, and a policy has none. */
function supplyFaults({ initialSupply: supply }: Description): TokenFault[] {
  if (isAbsent(supply) || supply === '' || supply === 0 || (typeof supply === 'string' && /^0+$/.test(supply)))
    return [];
  const fault = `has the initialSupply ${quote(supply)}, which nobody would receive: tokens come from mints alone. Write 0`;
  return [warning('initialSupply', fault)];
}

function nameFaults(member: string, value: unknown): TokenFault[] {
  if (isAbsent(value)) return [];
  if (typeof value !== 'string')
    return [warning(member, `has the ${member} ${quote(value)}, which is no text. Write a text`)];
  const bytes = Buffer.byteLength(value);
  if (bytes <= NAME_BYTES) return [];
  const limit = `more than the ${String(NAME_BYTES)} that ledgers keep`;
  return [warning(member, `has a ${member} of ${String(bytes)} bytes, ${limit}. Shorten it`)];
}

/** Even the text "false" would switch it on. */
function flagFaults(member: string, value: unknown): TokenFault[] {
  if (isAbsent(value) || typeof value === 'boolean') return [];
  return [warning(member, `has the ${member} ${quote(value)}, which is neither true nor false. Write true or false`)];
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

const warning = (member: string, fault: string): TokenFault => ({ member, fault, severity: 'warning' });
