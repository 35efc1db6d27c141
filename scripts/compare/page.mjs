/** The figures of a comparison in words, and their part of the page about it. */
import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { format } from 'prettier';
import { median, ratio } from '../../test/bench/support/measure.mjs';
import { root } from '../run.mjs';
import { yardstickOf } from './engines.mjs';

const page = join(root, 'docs', 'comparison.md');
const [begin, end] = ['<!-- figures -->', '<!-- end of figures -->'];

/** What is measured in rounds, and how a round's value is read and written. */
const measured = [
  { title: 'steps/s, 32 flows at once', of: ({ many }) => many.rate, digits: 0 },
  { title: 'steps/s, one at a time', of: ({ one }) => one.rate, digits: 0 },
  { title: 'median of a step, ms', of: ({ one }) => one.middle, digits: 2 },
  { title: '99th percentile, ms', of: ({ one }) => one.slow, digits: 1 },
  { title: 'first answer after a start, ms', of: ({ start }) => start.milliseconds, digits: 0 },
];

export function describe({ subjects, kills, seconds, node }) {
  return [
    table(
      ['', ...measured.map(({ title }) => title)],
      subjects.map((subject) => [subject.title, ...measured.map((each) => relation(each, subject, subjects))]),
    ),
    table(
      ['', 'lines to write', 'MB installed', `flows open at ${kills} kills`, 'steps lost', 'doubled', 'not finished'],
      subjects.map(({ title, lines, megabytes, kills: { flows, lost, doubled, unfinished } }) => {
        return [title, lines, megabytes.toFixed(0), flows, lost, doubled, unfinished];
      }),
    ),
    `${subjects[0].rounds.length} rounds, rates over ${seconds} s each. Node ${node}, ${cpus().length} processors (${cpus()[0].model.trim()}), ${new Date().toISOString().slice(0, 10)}.`,
    ...subjects.flatMap(({ title, kills: { errors } }) => errors.map((error) => `${title}: ${error}`)),
  ].join('\n\n');
}

/** The value, and how often it is that of the yardstick: the median of all rounds, with the lowest and the highest. */
function relation({ of, digits }, subject, subjects) {
  const values = subject.rounds.map(of);
  const value = median(values).toFixed(digits);
  const yardstick = subjects.find(({ name }) => name === yardstickOf(subject).name);
  if (yardstick === undefined || yardstick === subject) return value;
  const { median: middle, low, high } = ratio(values, yardstick.rounds.map(of));
  return `${value} (×${inTimes(middle)}, ${inTimes(low)}–${inTimes(high)})`;
}

const inTimes = (times) => times.toFixed(times < 10 ? 2 : 0);

const table = (head, rows) =>
  [head, head.map(() => '-'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** Puts the figures into the page, in place of those of another run. */
export async function writePage(results) {
  const text = await readFile(page, 'utf8');
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`docs/comparison.md has no lines "${begin}" and "${end}".`);
  const written = `${before}${begin}\n\n${describe(results)}\n\n${end}${after}`;
  await writeFile(page, await format(written, { parser: 'markdown', printWidth: 160 }));
}
