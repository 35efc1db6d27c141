/** `blockwork explain`: whether a role may use a block, and under which conditions. */
import { accessPath } from '@blockwork/core/files';
import type { BlockNode, PolicyTree } from '@blockwork/core/block';
import { printResult, textOption, type CommandRun } from '../line/command.js';
import { exitCodes } from '../line/exit-codes.js';
import { CommandError } from '../line/failure.js';
import { openPolicyFile } from '../policies/open-policy.js';

export const run: CommandRun = async (input, io) => {
  const [path = '', name = ''] = input.args;
  const as = textOption(input, 'as') ?? '';
  const { tree } = await openPolicyFile(path);
  const block = blockIn(tree, name);
  const { outcome, steps } = accessPath(block, userAs(as, tree), hasOneChildOpen);
  const startedBy = linksTo(block, tree);
  const value = {
    block: block.tag,
    blockType: block.blockType,
    as,
    outcome,
    steps: steps.map(({ block: { tag, blockType, permissions }, isPermitted, conditions }) => ({
      tag,
      blockType,
      permissions,
      isPermitted,
      conditions,
    })),
    startedBy,
  };
  await printResult(input, io, { value, text: () => describe(value) });
  return outcome === 'forbidden' || outcome === 'inactive' ? exitCodes.found : exitCodes.ok;
};

function blockIn(tree: PolicyTree, name: string): BlockNode {
  const block = tree.byTag.get(name) ?? tree.byUuid.get(name);
  if (block !== undefined) return block;
  const tags = [...tree.byTag.keys()].filter((tag) => tag.toLowerCase().includes(name.toLowerCase())).slice(0, 5);
  const hint = tags.length === 0 ? 'See the tags with "blockwork graph".' : `Did you mean ${tags.join(', ')}?`;
  throw new CommandError(exitCodes.usage, `The policy has no block "${name}". ${hint}`, 'BLOCK_UNKNOWN');
}

function userAs(as: string, { roles }: PolicyTree): { role: string | null; isOwner: boolean } {
  if (as === 'owner') return { role: null, isOwner: true };
  if (as === 'nobody') return { role: null, isOwner: false };
  if (roles.includes(as)) return { role: as, isOwner: false };
  const choices = ['owner', 'nobody', ...roles].map((role) => `"${role}"`).join(', ');
  throw new CommandError(exitCodes.usage, `The policy has no role "${as}". --as accepts ${choices}.`, 'ROLE_UNKNOWN');
}

const hasOneChildOpen = ({ definition }: BlockNode): boolean => definition !== null && 'isOpen' in definition;

const linksTo = (block: BlockNode, { blocks }: PolicyTree): { tag: string; output: string; input: string }[] =>
  blocks.flatMap((source) =>
    [...source.links.values()]
      .flat()
      .filter(({ target }) => target === block)
      .map(({ output, input }) => ({ tag: source.tag, output, input })),
  );

interface Explanation {
  readonly block: string;
  readonly blockType: string;
  readonly as: string;
  readonly outcome: 'allowed' | 'conditional' | 'inactive' | 'forbidden';
  readonly steps: readonly {
    readonly tag: string;
    readonly blockType: string;
    readonly permissions: readonly string[];
    readonly isPermitted: boolean;
    readonly conditions: readonly string[];
  }[];
  readonly startedBy: readonly { readonly tag: string; readonly output: string; readonly input: string }[];
}

const verdicts: Readonly<Record<Explanation['outcome'], string>> = {
  allowed: 'may use it at any time',
  conditional: 'may use it once the conditions are met',
  inactive: 'cannot use it: it is switched off',
  forbidden: 'may not use it',
};

/** Users without a policy role. */
const people: Readonly<Record<string, string>> = { owner: 'the owner', nobody: 'a user without a role' };

function describe({ block, blockType, as, outcome, steps, startedBy }: Explanation): string {
  const lines = steps.map(({ tag, blockType: type, permissions, isPermitted }) => {
    const whom = permissions.length === 0 ? 'nobody' : permissions.join(', ');
    return `  ${isPermitted ? 'yes' : 'NO '}  ${tag} (${type}): for ${whom}\n`;
  });
  const conditions = steps.flatMap((step) => step.conditions).map((condition) => `  ${condition}\n`);
  const starters = startedBy.map(({ tag, output, input }) => `  "${tag}": ${output} -> ${input}\n`);
  return [
    `"${block}" (${blockType}): ${people[as] ?? as} ${verdicts[outcome]}.\n`,
    `Permissions, from the root down:\n${lines.join('')}`,
    ...(conditions.length === 0 ? [] : [`Conditions:\n${conditions.join('')}`]),
    ...(starters.length === 0 ? [] : [`Events that reach it:\n${starters.join('')}`]),
  ].join('');
}
