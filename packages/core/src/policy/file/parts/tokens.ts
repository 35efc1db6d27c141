/** Reads the tokens of a policy file. */
import { closestTo } from '../../../options/index.js';
import { isObject, type JsonObject, type TokenRecord } from '../../../records/index.js';
import { suggestedValue } from '../../model/block-finding.js';
import { pointerOf, pointerStep } from '../../model/pointer.js';
import type { Finding } from '../../model/policy-model.js';
import { quote } from '../../model/quote.js';
import { tokenFaults } from '../../model/token-faults.js';
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
    const report = (message: string): void => {
      findings.push({ severity: 'warning', code: 'TOKEN_UNREADABLE', message, path: '', ...partAt(name, '') });
    };
    const id = isObject(content) ? content['tokenId'] : undefined;
    if (!isObject(content)) report(`The token ${name} is ${quote(content)}, not an object; it is left out.`);
    else if (typeof id !== 'string' || id === '')
      report(`The token ${name} has no tokenId; it is left out. ${adviceOn(content, 'tokenId')}`);
    else if (tokens.has(id)) report(`A second token, ${name}, has the tokenId "${id}"; it is left out.`);
    else {
      findings.push(...findingsAbout(id, content, (member) => partAt(name, pointerStep(member))));
      tokens.set(id, tokenRecord(id, content as JsonObject));
    }
  }
  return [...tokens.values()];
}

/** Findings about the tokens of a definition, in the order that it has them in. */
export const tokenFindings = (tokens: readonly Pick<TokenRecord, 'id' | 'source'>[]): Finding[] =>
  tokens.flatMap(({ id, source }, index) =>
    findingsAbout(id, source, (member) => ({ pointer: pointerOf(['tokens', index, member]) })),
  );

const findingsAbout = (
  id: string,
  content: Readonly<Record<string, unknown>>,
  placeOf: (member: string) => Pick<Finding, 'file' | 'pointer'>,
): Finding[] =>
  tokenFaults(content).map(({ member, fault, severity, meant }) => {
    const place = placeOf(member);
    return {
      severity,
      code: 'TOKEN_UNREADABLE',
      message: `The token "${id}" ${fault}.`,
      path: '',
      ...place,
      ...(meant !== undefined &&
        place.pointer !== undefined && { suggestions: [suggestedValue(place.pointer, meant)] }),
    };
  });

const members = ['tokenId', 'tokenName', 'tokenSymbol', 'tokenType', 'decimals'];

function adviceOn(content: Readonly<Record<string, unknown>>, member: string): string {
  const misspelt = Object.keys(content).find((key) => !members.includes(key) && closestTo(key, [member], 2) === member);
  return misspelt === undefined ? 'Give it one.' : `Rename ${misspelt} to "${member}".`;
}

const tokenRecord = (id: string, source: JsonObject): TokenRecord => ({
  id,
  tokenName: textOf(source['tokenName']),
  tokenSymbol: textOf(source['tokenSymbol']),
  source,
});

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
