/** What people leave out, or write in another way, in a policy that they write by hand. It works, so programs may do it. */
import type { Finding } from '../model/policy-model.js';
import { pointerOf } from '../model/pointer.js';
import { quote } from '../model/quote.js';
import type { PolicyBundle } from './policy-bundle.js';

export function findingsByHand({ about, tokens, archived }: PolicyBundle): Finding[] {
  const unnamed = finding('RECORD_FIELD_INVALID', 'The policy has no name. Give it one: lists show it.', ['name']);
  const ofTokens = tokens.flatMap(({ id, source }, index) =>
    habitsOf(source).map(([member, fault]) =>
      finding('TOKEN_UNREADABLE', `The token "${id}" ${fault}.`, ['tokens', index, member]),
    ),
  );
  // Archives hold decimals as text, and some leave the symbol out.
  return [...(about.name.trim() === '' ? [unnamed] : []), ...(archived === true ? [] : ofTokens)];
}

function habitsOf({ tokenName, tokenSymbol, decimals }: Readonly<Record<string, unknown>>): [string, string][] {
  const habits: [string, string][] = [];
  for (const [member, value] of Object.entries({ tokenName, tokenSymbol })) {
    if (value === undefined || value === '') habits.push([member, `has no ${member}. Give it one`]);
  }
  if (typeof decimals === 'string' && /^\d{1,2}$/.test(decimals)) {
    habits.push(['decimals', `has ${quote(decimals)} decimals, which is text. Write ${decimals}`]);
  }
  return habits;
}

const finding = (
  code: 'RECORD_FIELD_INVALID' | 'TOKEN_UNREADABLE',
  message: string,
  pointer: readonly PropertyKey[],
): Finding => ({ severity: 'warning', code, message, path: '', pointer: pointerOf(pointer) });
