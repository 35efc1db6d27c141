/** `blockwork test`: runs scenario scripts against a policy. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describeFailures, openScenarioWorld, runScenario, type ScenarioReport } from '@blockwork/explorer';
import { printResult, type CommandRun } from '../line/command.js';
import { exitCodes } from '../line/exit-codes.js';
import { CommandError } from '../line/failure.js';
import { withProgress } from '../line/io.js';
import { parseJson } from '../line/json-text.js';
import { readPolicySource } from '../policies/read-source.js';

interface Tested extends ScenarioReport {
  readonly script: string;
}

export const run: CommandRun = async (input, io) => {
  const [policy = '', ...args] = input.args;
  const source = await readPolicySource(policy);
  const scripts = args.length > 0 ? args : await scriptsBeside(policy);
  const tested = await withProgress(io, async (report) => {
    const results: Tested[] = [];
    for (const script of scripts) {
      report(`running ${script}`);
      results.push(await runScript(script, source));
    }
    return results;
  });
  await printResult(input, io, { value: tested, text: () => tested.map(describe).join('') });
  return tested.some(({ failures }) => failures.length > 0) ? exitCodes.found : exitCodes.ok;
};

/** `*.scenario.json` in the policy's folder; for an unpacked policy, next to its folder. */
async function scriptsBeside(policy: string): Promise<string[]> {
  await stat(policy);
  const folder = dirname(policy);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.scenario.json')).sort();
  const called = `${basename(policy).replace(/\.policy(\.json)?$/, '')}.scenario.json`;
  const scripts = names.includes(called) ? [called] : names;
  if (scripts.length > 0) return scripts.map((name) => join(folder, name));
  throw new CommandError(exitCodes.usage, `No *.scenario.json found next to ${policy}. Name a script.`, 'NO_SCRIPT');
}

async function runScript(script: string, source: unknown): Promise<Tested> {
  const steps = parseJson(await readFile(script, 'utf8'), script);
  const world = await openScenarioWorld(source as Uint8Array | object);
  try {
    return { script, ...(await runScenario(steps, world)) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new CommandError(exitCodes.unreadable, `${script}: ${error.message}`, 'SCRIPT_INVALID');
  } finally {
    await world.close();
  }
}

const describe = ({ script, ...report }: Tested): string =>
  report.failures.length === 0
    ? `ok      ${script}: ${report.steps} steps\n`
    : `FAILED  ${script}: ${report.failures.length} failed, ${report.steps} steps\n` +
      `${describeFailures(basename(script), report).replace(/^/gm, '  ')}\n`;
