/** Reads the tokens of a policy file. */
import { isObject, type JsonObject, type TokenRecord } from '../../../records/index.js';
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
    else tokens.set(id, tokenRecord(id, content as JsonObject));
  }
  return [...tokens.values()];
}

const tokenRecord = (id: string, source: JsonObject): TokenRecord => ({
  id,
  tokenName: textOf(source['tokenName']),
  tokenSymbol: textOf(source['tokenSymbol']),
  source,
});

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
