/** `blockwork validate`: the findings of policies. */
import type { Finding } from '@blockwork/core';
import { printResult, type CommandRun } from '../line/command.js';
import { exitCodes } from '../line/exit-codes.js';
import { CommandError, explainFailure, type Failure } from '../line/failure.js';
import { withProgress } from '../line/io.js';
import { countFindings, type FindingCounts } from '../policies/finding-counts.js';
import { findingLine } from '../policies/finding-line.js';
import { openPolicyFile } from '../policies/open-policy.js';

interface Checked extends FindingCounts {
  readonly policy: string;
  readonly name: string;
  readonly blocks: number;
  readonly findings: readonly Finding[];
}

export const run: CommandRun = async (input, io) => {
  const { checked, failures } = await withProgress(io, async (report) => {
    const results: { readonly checked: Checked[]; readonly failures: Failure[] } = { checked: [], failures: [] };
    for (const path of input.args) {
      report(`checking ${path}`);
      try {
        results.checked.push(await check(path));
      } catch (error) {
        const failure = explainFailure(error);
        if (failure.exitCode === exitCodes.bug) throw error;
        results.failures.push(failure);
      }
    }
    return results;
  });
  const [first] = failures;
  // An unreadable policy does not hide the results of the others.
  if (checked.length > 0) await printResult(input, io, { value: checked, text: () => checked.map(describe).join('') });
  if (first !== undefined) {
    throw new CommandError(first.exitCode, failures.map(({ message }) => message).join('\n'), first.code);
  }
  const isBad = ({ errors, warnings }: Checked): boolean =>
    errors > 0 || (input.options['strict'] === true && warnings > 0);
  return checked.some(isBad) ? exitCodes.found : exitCodes.ok;
};

async function check(policy: string): Promise<Checked> {
  const { name, tree, findings } = await openPolicyFile(policy, { check: true });
  return { policy, name, blocks: tree.blocks.length, ...countFindings(findings), findings };
}

function describe({ policy, name, blocks, errors, warnings, findings }: Checked): string {
  const lines = findings.map((finding) => `${findingLine(finding, policy)}\n`);
  return `${policy}: "${name}", ${blocks} blocks, ${count(errors, 'error')}, ${count(warnings, 'warning')}\n${lines.join('')}`;
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
