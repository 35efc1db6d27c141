/** The report as text for people. */
import type { Finding, Report, Topic } from './report.js';

const names: Readonly<Record<Topic, string>> = {
  bundle: 'integrity of the bundle',
  policy: 'policy',
  keys: 'keys',
  signatures: 'signatures',
  schemas: 'schemas',
  roles: 'roles of issuers',
  relationships: 'relationships',
  amounts: 'amounts',
  supply: 'supply',
  log: 'log of the journal',
  entries: 'entries of the journal',
};

/**
 * The story of a report: what happened, what holds, what is wrong, and what cannot be checked offline.
 *
 * @example console.log(storyOf(await verifyBundle(JSON.parse(text))));
 */
export function storyOf({ ok, title, chapters, held, wrong, unchecked }: Report): string {
  const sentences = chapters.map(({ date, what, by, roles }) => {
    const as = roles.length === 0 ? '' : ` as ${roles.join(', ')}`;
    return `  ${visible(`${date || 'undated'}  ${what}`)}\n      signed by ${visible(`${by || 'nobody'}${as}`)}\n`;
  });
  const sound = Object.entries(held).map(([topic, count]) => `${names[topic as Topic]} ${String(count)}`);
  return [
    `${visible(title)}\n`,
    sentences.length === 0 ? '' : `\nWhat happened:\n${sentences.join('')}`,
    sound.length === 0 ? '' : `\nChecked and sound: ${sound.join(', ')}.\n`,
    listed('Wrong', wrong),
    listed('Cannot be checked from this file alone', unchecked),
    `\n${ok ? 'Nothing is wrong.' : `DO NOT RELY ON IT: ${wrong.length > 0 ? `${String(wrong.length)} checks fail` : 'not every signature was checked'}.`}\n`,
  ].join('');
}

const listed = (heading: string, findings: readonly Finding[]): string =>
  findings.length === 0
    ? ''
    : `\n${heading}:\n${findings.map(({ topic, message }) => `  ${names[topic]}: ${visible(message)}\n`).join('')}`;

/** On one line: texts of the bundle must not write lines of the report, move the cursor, or turn the direction. */
const visible = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`);
