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
  readonly format: unknown;
  readonly pattern: unknown;
  readonly minLength: number;
  readonly maxLength: number;
}

/** Meets the format or the pattern, and the lengths where there is neither. */
export function sampleText(random: Random, { format, pattern, minLength, maxLength }: TextRules): string {
  const formatted = typeof format === 'string' && Object.hasOwn(formats, format) ? formats[format] : undefined;
  if (formatted !== undefined) return formatted(random);
  if (typeof pattern === 'string') return matching(random, pattern) ?? 'sample';
  const text = `${wordOf(random)} ${String(random.between(1, 9999))}`;
  return text.padEnd(minLength, '.').slice(0, maxLength);
}

/** `undefined` for a pattern that JavaScript cannot read. */
function matching(random: Random, pattern: string): string | undefined {
  try {
    const texts = fc.stringMatching(new RegExp(readable(pattern)), { size: '-1' });
    return fc.sample(texts, { seed: random.between(0, 0x7fffffff), numRuns: 1 })[0];
  } catch {
    return undefined;
  }
}

/** "Anything" means letters and digits, and the text that it is about is all there is. */
const readable = (pattern: string): string =>
  `^${pattern.replace(/^\^|(?<!\\)\$$/g, '').replace(/(?<!\\)\.(?=[*+?{]|$)/g, '[a-z0-9]')}$`;
