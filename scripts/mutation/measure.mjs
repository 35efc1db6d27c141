/** Runs Stryker over one room and counts its results. */
import { rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Stryker } from '@stryker-mutator/core';
import { root, StepFailed } from '../run.mjs';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Larger than any test needs on a busy machine, so that a slow run does not count as a killed mutant. */
const TIMEOUT_MS = 60_000;

/** @param room a row of `rooms.mjs`. @param sample how many mutants to try; all if undefined. */
export async function measure(room, { excludedTests, sample, seed }) {
  process.env.BLOCKWORK_MUTATION_TESTS = JSON.stringify({ tests: room.tests, excluded: excludedTests });
  // Of its own: a run that ends removes it, and another may go on beside it.
  const tempDirName = join('.blockwork', 'mutation', String(process.pid));
  const stryker = new Stryker({
    mutate: [...room.sources, '!**/*.test.ts', '!**/index.ts'],
    testRunner: 'vitest',
    plugins: [fileURLToPath(import.meta.resolve('@stryker-mutator/vitest-runner')), here('sample.mjs')],
    vitest: { configFile: relative(root, here('vitest.config.mjs')), related: false },
    ...(sample !== undefined && { checkers: ['sample'], blockwork: { sample, seed } }),
    concurrency: 1,
    timeoutMS: TIMEOUT_MS,
    dryRunTimeoutMinutes: 30,
    tempDirName,
    ignorePatterns: ['dist', 'release', '*.tgz', '.blockwork/mutation'],
    allowConsoleColors: false,
    reporters: ['progress-append-only'],
    logLevel: 'warn',
    warnings: { unknownOptions: false },
  });
  try {
    return summary(await stryker.runMutationTest());
  } catch (error) {
    throw new StepFailed(`Stryker could not measure the room: ${error.message}`);
  } finally {
    await rm(join(root, tempDirName), { recursive: true, force: true });
  }
}

function summary(results) {
  const count = (status) => results.filter((result) => result.status === status).length;
  const counts = {
    killed: count('Killed'),
    timeout: count('Timeout'),
    survived: count('Survived'),
    noCoverage: count('NoCoverage'),
  };
  const detected = counts.killed + counts.timeout;
  const valid = detected + counts.survived + counts.noCoverage;
  if (valid === 0) throw new Error('no mutant was tried.');
  const survivors = results.filter(({ status }) => status === 'Survived' || status === 'NoCoverage').map(line);
  return { counts, score: (100 * detected) / valid, survivors };
}

const line = ({ fileName, location, mutatorName, replacement, status }) => {
  const path = relative(root, fileName);
  const place = `${path}:${location.start.line}:${location.start.column}`;
  const change = `${mutatorName} -> ${replacement.replaceAll(/\s+/g, ' ').slice(0, 100)}`;
  return `  ${place}  ${change}${status === 'NoCoverage' ? '  (no test runs it)' : ''}`;
};
