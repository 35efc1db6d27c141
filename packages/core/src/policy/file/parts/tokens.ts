/** Reads the tokens of a policy file. */
import { closestTo, didYouMean } from '../../../options/index.js';
import { isObject, tokenType, type JsonObject, type TokenRecord } from '../../../records/index.js';
import type { Finding } from '../../model/policy-model.js';
import { quote } from '../../model/quote.js';
import { partAt } from './part-at.js';

export interface TokenFile {
  /** Names the file in findings; the JSON pointer of a token that the policy itself lists. */
  readonly name: string;
  readonly content: unknown;
}

/** One record per `tokenId`. */
export function readTokens(files: readonly TokenFile[], findings: Finding[]): TokenRecord[] {
  const tokens = new Map<string, TokenRecord>();
  for (const { name, content } of files) {
    const report = (message: string, member = ''): void => {
      findings.push({ severity: 'warning', code: 'TOKEN_UNREADABLE', message, path: '', ...partAt(name, member) });
    };
    const id = isObject(content) ? content['tokenId'] : undefined;
    if (!isObject(content)) report(`The token ${name} is ${quote(content)}, not an object; it is left out.`);
    else if (typeof id !== 'string' || id === '')
      report(`The token ${name} has no tokenId; it is left out. ${adviceOn(content, 'tokenId')}`);
    else if (tokens.has(id)) report(`A second token, ${name}, has the tokenId "${id}"; it is left out.`);
    else {
      for (const { member, fault } of faultsOf(content)) report(`The token "${id}" ${fault}.`, member);
      tokens.set(id, tokenRecord(id, content as JsonObject));
    }
  }
  return [...tokens.values()];
}

interface Fault {
  /** JSON pointer within the token. */
  readonly member: string;
  readonly fault: string;
}

/** What the token could not be created with. */
function faultsOf({ tokenType: type, decimals }: Readonly<Record<string, unknown>>): Fault[] {
  const faults: Fault[] = [];
  if (type !== undefined && type !== null && !tokenType.safeParse(type).success) {
    const hint = didYouMean(typeof type === 'string' ? type : '', tokenType.options);
    const fault = `has the tokenType ${quote(type)}, which is none of ${tokenType.options.join(', ')}${hint}`;
    faults.push({ member: '/tokenType', fault });
  }
  if (decimals !== undefined && decimals !== null && !isWhole(decimals)) {
    faults.push({ member: '/decimals', fault: `has ${quote(decimals)} decimals, which is no whole number` });
  }
  return faults;
}

const members = ['tokenId', 'tokenName', 'tokenSymbol', 'tokenType', 'decimals'];

function adviceOn(content: Readonly<Record<string, unknown>>, member: string): string {
  const misspelt = Object.keys(content).find((key) => !members.includes(key) && closestTo(key, [member], 2) === member);
  return misspelt === undefined ? 'Give it one.' : `Rename ${misspelt} to "${member}".`;
}

const isWhole = (value: unknown): boolean =>
  /^\d{1,2}$/.test(typeof value === 'string' || typeof value === 'number' ? String(value) : '');

const tokenRecord = (id: string, source: JsonObject): TokenRecord => ({
  id,
  tokenName: textOf(source['tokenName']),
  tokenSymbol: textOf(source['tokenSymbol']),
  source,
});

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
