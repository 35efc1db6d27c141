/** What people leave out, or write in another way, in a policy that they write by hand. It works, so programs may do it. */
import { MAX_DECIMALS } from '../../records/index.js';
import { suggestedValue } from '../model/block-finding.js';
import type { Finding } from '../model/policy-model.js';
import { pointerOf } from '../model/pointer.js';
import { quote } from '../model/quote.js';
import type { PolicyBundle } from './policy-bundle.js';

export function findingsByHand({ about, tokens, archived }: PolicyBundle): Finding[] {
  const unnamed = finding('RECORD_FIELD_INVALID', 'The policy has no name. Give it one: lists show it.', ['name']);
  const ofTokens = tokens.flatMap(({ id, source }, index) =>
    habitsOf(source).map(([member, fault, meant]) =>
      finding('TOKEN_UNREADABLE', `The token "${id}" ${fault}.`, ['tokens', index, member], meant),
    ),
  );
  // Archives hold decimals as text, and some leave the symbol out.
  return [...(about.name.trim() === '' ? [unnamed] : []), ...(archived === true ? [] : ofTokens)];
}

type Habit = readonly [member: string, fault: string, meant?: number];

function habitsOf({ tokenName, tokenSymbol, decimals }: Readonly<Record<string, unknown>>): Habit[] {
  const habits: Habit[] = [];
  for (const [member, value] of Object.entries({ tokenName, tokenSymbol })) {
    if (isBlank(value)) habits.push([member, `has no ${member}. Give it one`]);
  }
  if (typeof decimals === 'string' && /^\d{1,2}$/.test(decimals) && Number(decimals) <= MAX_DECIMALS) {
    const meant = Number(decimals);
    habits.push(['decimals', `has ${quote(decimals)} decimals, which is text. Write ${String(meant)}`, meant]);
  }
  return habits;
}

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

const finding = (
  code: 'RECORD_FIELD_INVALID' | 'TOKEN_UNREADABLE',
  message: string,
  place: readonly PropertyKey[],
  meant?: number,
): Finding => {
  const pointer = pointerOf(place);
  const warning = { severity: 'warning', code, message, path: '', pointer } as const;
  return meant === undefined ? warning : { ...warning, suggestions: [suggestedValue(pointer, meant)] };
};
