/** Formats an exploration as human-readable text. */
import type { Exploration, Incident, UnreachedBlock } from './exploration.js';

/** A summary, and every finding with the steps that lead to it, one line each. */
export function describeExploration(exploration: Exploration): string {
  const { policy, seed, steps, walks, users, coverage } = exploration;
  const { blocks, reachable, reached, unreached } = coverage;
  return [
    `"${policy}": ${plural(steps, 'step')} in ${plural(walks, 'walk')} of ${plural(users, 'user')}, seed ${String(seed)}`,
    `reached ${String(reached.length)} of ${String(reachable)} reachable blocks, ${percent(reached.length, reachable)} (${String(blocks)} in all)`,
    foundIn(exploration),
    ...section('not reached this time', unreached.filter((block) => !block.static).map(missed)),
    ...section('nothing can ever reach', unreached.filter((block) => block.certain).map(missed)),
    ...section(
      'nothing in the policy leads to (a program or another instance may)',
      unreached.filter((block) => block.static && !block.certain).map(missed),
    ),
    ...section('internal errors', exploration.internalErrors.map(incident)),
    ...section('dead ends', exploration.deadEnds.map(deadEnd)),
    ...section('failures', exploration.failures.map(incident)),
    ...section('refusals', exploration.refusals.map(incident)),
    ...section('minted twice', exploration.mintedTwice.map(mintedTwice)),
    ...section('minted', exploration.minted.map(minted)),
    ...section('invariants', exploration.invariants.map(invariant)),
    '',
  ].join('\n');
}

/** Whether the policy or the engine needs a fix: any finding except coverage and refusals. */
export const hasDefects = ({ internalErrors, deadEnds, failures, mintedTwice, invariants }: Exploration): boolean =>
  internalErrors.length + deadEnds.length + failures.length + mintedTwice.length > 0 ||
  invariants.some(({ held }) => !held);

const percent = (part: number, whole: number): string => `${String(Math.floor((100 * part) / Math.max(1, whole)))} %`;

/** A finding in one line. */
function foundIn(exploration: Exploration): string {
  const { internalErrors, deadEnds, failures, refusals, mintedTwice, invariants, coverage } = exploration;
  const { unreached } = coverage;
  const counts: readonly (readonly [number, string])[] = [
    [internalErrors.length, 'internal error'],
    [deadEnds.length, 'dead end'],
    [failures.length, 'failure'],
    [refusals.length, 'refusal'],
    [mintedTwice.length, 'double mint'],
    [invariants.filter(({ held }) => !held).length, 'broken invariant'],
    [unreached.filter((block) => block.static).length, 'unreachable block'],
  ];
  const met = counts.flatMap(([count, noun]) => (count === 0 ? [] : [plural(count, noun)]));
  if (met.length > 0) return `found ${met.join(', ')}`;
  return unreached.length === 0 ? 'found nothing wrong' : 'found nothing wrong in what it reached';
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${line}`)];

const plural = (count: number, noun: string): string => `${String(count)} ${noun}${count === 1 ? '' : 's'}`;

const missed = ({ block, blockType, reason, detail }: UnreachedBlock): string =>
  `${block} (${blockType}): ${reason}, ${detail}`;

const incident = ({ code, block, message, times, by, scenario }: Incident): string =>
  `${code} at "${block}", ${plural(times, 'time')}, by ${by.join(', ')}: ${message}\n${path(scenario)}`;

const deadEnd = ({ type, status, documents, reason, certain, scenario }: Exploration['deadEnds'][number]): string =>
  `${plural(documents, 'document')} "${type}" with the status "${status}": ${reason}${certain ? '' : ' (not certain: a longer exploration may find a way)'}\n${path(scenario)}`;

const mintedTwice = ({ token, blocks, times, scenario }: Exploration['mintedTwice'][number]): string =>
  `${token}, ${plural(times, 'time')}, at ${blocks.join(' and ')}\n${path(scenario)}`;

const minted = ({ name, by, mints, amount }: Exploration['minted'][number]): string =>
  `${name}: ${amount} in ${plural(mints, 'mint')}, through ${by}`;

const invariant = ({ invariant: text, held, reason = '', scenario = [] }: Exploration['invariants'][number]): string =>
  held ? `held: ${text}` : `BROKEN: ${text}: ${reason}\n${path(scenario)}`;

/** The steps in one line; the whole script is in the report. */
const path = (scenario: Incident['scenario']): string =>
  `    ${scenario.map(({ as, method, tag }) => `${as} ${method} ${tag}`.trim()).join(' > ')}`;
