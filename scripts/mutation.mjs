/**
 * `npm run mutation -- ROOM ... [--sample N] [--seed N]`: changes the sources of a room one expression at a time and counts how many
 * of the changes a test notices. Fails where a room misses its aim. Without a room it lists them.
 */
import { parseArgs } from 'node:util';
import { install } from './install.mjs';
import { excludedTests, rooms } from './mutation/rooms.mjs';
import { main, StepFailed } from './run.mjs';

await main(async (args) => {
  const { names, sample, seed } = parse(args);
  if (names.length === 0) return list();
  await install();
  const { setup } = await import('./vitest/workers.mjs');
  await setup();
  // Only now is everything there that the run imports.
  const { measure } = await import('./mutation/measure.mjs');
  const results = [];
  for (const name of names) {
    const result = { name, aim: rooms[name].aim, ...(await measure(rooms[name], { excludedTests, sample, seed })) };
    results.push(result);
    survivorsOf(result);
  }
  report(results, sample, seed);
  return results.every(({ score, aim }) => score >= aim) ? 0 : 1;
});

function parse(args) {
  const options = { sample: { type: 'string' }, seed: { type: 'string', default: '1' } };
  let parsed;
  try {
    parsed = parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new StepFailed(error.message);
  }
  const { positionals: names, values } = parsed;
  const unknown = names.filter((name) => rooms[name] === undefined);
  if (unknown.length > 0) {
    throw new StepFailed(`Unknown room "${unknown.join('", "')}". The rooms are: ${Object.keys(rooms).join(', ')}.`);
  }
  return { names, sample: wholeNumber('sample', values.sample), seed: wholeNumber('seed', values.seed) };
}

function wholeNumber(name, text) {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new StepFailed(`--${name} takes a whole number above 0, not "${text}".`);
}

function list() {
  console.log('npm run mutation -- ROOM ... [--sample N] [--seed N]\n');
  for (const [name, { aim }] of Object.entries(rooms)) console.log(`${name.padEnd(18)} aim ${aim} %`);
  return 0;
}

/** Printed as soon as the room is measured: the next one takes a while, and may be cancelled. */
function survivorsOf({ name, survivors, score }) {
  const list = survivors.length > 0 ? `\nSurvivors in ${name}:\n${survivors.join('\n')}` : '';
  console.log(`${list}\n${name}: ${score.toFixed(1)} %`);
}

function report(results, sample, seed) {
  const drawn = sample === undefined ? '' : `, ${sample} mutants of each drawn with seed ${seed}`;
  console.log(`\nMutation score by room${drawn}\n`);
  console.log('room                mutants  killed  timeout  survived  not run  score     aim');
  for (const { name, counts, score, aim } of results) {
    const { killed, timeout, survived, noCoverage } = counts;
    const numbers = [killed + timeout + survived + noCoverage, killed, timeout, survived, noCoverage];
    const cells = numbers.map((number, column) => String(number).padStart([7, 6, 7, 8, 7][column]));
    const verdict = score >= aim ? '' : '  missed';
    console.log(`${name.padEnd(18)}  ${cells.join('  ')}  ${score.toFixed(1).padStart(5)} %  ${aim} %${verdict}`);
  }
}
