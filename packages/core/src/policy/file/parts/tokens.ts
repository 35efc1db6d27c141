/** Reads the tokens of a policy file. */
import { didYouMean } from '../../../options/index.js';
import { isObject, tokenType, type JsonObject, type TokenRecord } from '../../../records/index.js';
import type { Finding } from '../../model/finding.js';
import { quote } from '../../model/quote.js';

export interface TokenFile {
  /** Names the file in findings. */
  readonly name: string;
  readonly content: unknown;
}

/** One record per `tokenId`. */
export function readTokens(files: readonly TokenFile[], findings: Finding[]): TokenRecord[] {
  const tokens = new Map<string, TokenRecord>();
  const report = (message: string): void => {
    findings.push({ severity: 'warning', code: 'TOKEN_UNREADABLE', message, path: '' });
  };
  for (const { name, content } of files) {
    const id = isObject(content) ? content['tokenId'] : undefined;
    if (!isObject(content)) report(`The token ${name} is ${quote(content)}, not an object; it is left out.`);
    else if (typeof id !== 'string' || id === '') report(`The token ${name} has no tokenId; it is left out.`);
    else if (tokens.has(id)) report(`A second token, ${name}, has the tokenId "${id}"; it is left out.`);
    else {
      for (const fault of faultsOf(content)) report(`The token ${name} ${fault}.`);
      tokens.set(id, tokenRecord(id, content as JsonObject));
    }
  }
  return [...tokens.values()];
}

/** What the token could not be created with. */
function faultsOf({ tokenType: type, decimals }: Readonly<Record<string, unknown>>): string[] {
  const isWhole =
    decimals === undefined ||
    decimals === null ||
    /^\d{1,2}$/.test(typeof decimals === 'string' || typeof decimals === 'number' ? String(decimals) : '');
  const isType = type === undefined || type === null || tokenType.safeParse(type).success;
  return [
    ...(isType
      ? []
      : [
          `has the tokenType ${quote(type)}, which is none of ${tokenType.options.join(', ')}${didYouMean(typeof type === 'string' ? type : '', tokenType.options)}`,
        ]),
    ...(isWhole ? [] : [`has ${quote(decimals)} decimals, which is no whole number`]),
  ];
}

const tokenRecord = (id: string, source: JsonObject): TokenRecord => ({
  id,
  tokenName: textOf(source['tokenName']),
  tokenSymbol: textOf(source['tokenSymbol']),
  source,
});

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
