/** `blockwork diff`: what changed between two policies, by meaning. */
import { printResult, type CommandRun } from '../line/command.js';
import { exitCodes } from '../line/exit-codes.js';
import type { Change } from '../diff/change.js';
import { policyDiff } from '../diff/policy-diff.js';
import { openPolicyFile } from '../policies/open-policy.js';

export const run: CommandRun = async (input, io) => {
  const [before = '', after = ''] = input.args;
  const changes = policyDiff(await openPolicyFile(before), await openPolicyFile(after));
  await printResult(input, io, { value: changes, text: () => describe(changes) });
  return changes.length === 0 ? exitCodes.ok : exitCodes.found;
};

const titles: readonly (readonly [Change['area'], string])[] = [
  ['policy', 'Policy'],
  ['role', 'What roles can do'],
  ['token', 'Tokens and what is minted'],
  ['schema', 'Schemas'],
  ['block', 'Blocks'],
  ['event', 'Events'],
];

function describe(changes: readonly Change[]): string {
  if (changes.length === 0) return 'No differences.\n';
  return titles
    .map(([area, title]) => {
      const lines = changes.filter((change) => change.area === area);
      return lines.length === 0
        ? ''
        : `${title}\n${lines.map(({ name, change }) => `  ${name}: ${change}\n`).join('')}`;
    })
    .join('');
}
