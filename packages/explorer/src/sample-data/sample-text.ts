/** Random texts by their format or pattern. */
import fc from 'fast-check';
import type { Random } from './random.js';

const words = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'heath', 'inlet', 'juniper'];
const DAY = 86_400_000;
const FIRST_DAY = Date.UTC(2024, 0, 1);

const wordOf = (random: Random): string => random.pick(words) ?? 'amber';
const dateOf = (random: Random): string => new Date(FIRST_DAY + random.between(0, 1000) * DAY).toISOString();

const formats: Readonly<Record<string, (random: Random) => string>> = {
  date: (random) => dateOf(random).slice(0, 10),
  'date-time': (random) => dateOf(random),
  time: (random) => `${String(random.between(10, 23))}:${String(random.between(10, 59))}:00Z`,
  duration: (random) => `P${String(random.between(1, 12))}M`,
  email: (random) => `${wordOf(random)}@example.org`,
  hostname: (random) => `${wordOf(random)}.example.org`,
  ipv4: (random) => `192.0.2.${String(random.between(1, 254))}`,
  ipv6: () => '2001:db8::1',
  uri: (random) => `https://example.org/${wordOf(random)}`,
  url: (random) => `https://example.org/${wordOf(random)}`,
  uuid: (random) => `00000000-0000-4000-8000-${hexOf(random)}`,
};

const hexOf = (random: Random): string => random.between(0, 0xffffffff).toString(16).padStart(12, '0');

export interface TextRules {
  readonly kind: 'words' | 'numerals';
  readonly format: unknown;
  readonly pattern: unknown;
  readonly minLength: number;
  readonly maxLength: number;
}

/** Meets the format or the pattern, and the lengths where there is neither. */
export function sampleText(random: Random, { kind, format, pattern, minLength, maxLength }: TextRules): string {
  const formatted = typeof format === 'string' && Object.hasOwn(formats, format) ? formats[format] : undefined;
  if (formatted !== undefined) return formatted(random);
  if (typeof pattern === 'string') return matching(random, pattern) ?? 'sample';
  const number = String(random.between(1, 9999));
  if (kind === 'numerals') return number.padStart(minLength, '1').slice(0, maxLength);
  return `${wordOf(random)} ${number}`.padEnd(minLength, '.').slice(0, maxLength);
}

/** By pattern, because making one takes far longer than using it. */
const generators = new Map<string, fc.Arbitrary<string>>();
const GENERATORS_AT_MOST = 200;

/** `undefined` for a pattern that JavaScript cannot read. */
function matching(random: Random, pattern: string): string | undefined {
  try {
    let texts = generators.get(pattern);
    if (texts === undefined) {
      texts = fc.stringMatching(new RegExp(readable(pattern)), { size: '-1' });
      if (generators.size >= GENERATORS_AT_MOST) generators.clear();
      generators.set(pattern, texts);
    }
    return fc.sample(texts, { seed: random.between(0, 0x7fffffff), numRuns: 1 })[0];
  } catch {
    return undefined;
  }
}

/** "Anything" means letters and digits, and the text that it is about is all there is. */
const readable = (pattern: string): string =>
  `^${pattern.replace(/^\^|(?<!\\)\$$/g, '').replace(/(?<!\\)\.(?=[*+?{]|$)/g, '[a-z0-9]')}$`;
