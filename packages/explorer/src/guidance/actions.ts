/** The user actions at the sites of a policy, and the blocks that each of them triggers. */
import { isObject, RELEASE, type BlockNode, type PolicyTree } from '@blockwork/core/block';
import { mayEmit, sitesOf, typeOf, type Site } from '../sites.js';

export interface Action {
  readonly site: Site;
  /** The button, role or vote; empty if there is no choice. */
  readonly choice: string;
  /** Blocks that run on events behind the action, in the order of their distance. */
  readonly runs: readonly BlockNode[];
  /** Blocks for people that the action leads its user to. */
  readonly leadsTo: readonly BlockNode[];
}

export const actionsOf = (tree: PolicyTree): Action[] =>
  sitesOf(tree).flatMap((site) =>
    choicesAt(site.node).map((choice) => ({ site, choice, ...behind(site.node, choice) })),
  );

/** Choices, named as in the moves at such a block. */
function choicesAt({ blockType, uiMetaData, options }: BlockNode): string[] {
  switch (blockType) {
    case 'buttonBlock':
      return membersOf(uiMetaData['buttons']).map(({ tag }) => (typeof tag === 'string' ? tag : ''));
    case 'policyRolesBlock': {
      const { roles, groups } = isObject(options) ? options : {};
      return [...namesIn(roles), ...namesIn(groups)];
    }
    case 'multiSignBlock':
      return ['SIGNED', 'DECLINED'];
    default:
      return [''];
  }
}

/** Follows the events from the action through blocks that run on them, up to the blocks for people. */
function behind(node: BlockNode, choice: string): Pick<Action, 'runs' | 'leadsTo'> {
  const [runs, leadsTo] = [new Set<BlockNode>(), new Set<BlockNode>()];
  const queue: BlockNode[] = [];
  const follow = (from: BlockNode, isTaken: (output: string) => boolean): void => {
    for (const [output, links] of from.links) {
      if (!mayEmit(from, output) || !isTaken(output)) continue;
      for (const { target, input } of links) {
        if (input === RELEASE) for (const first of beginningOf(target)) leadsTo.add(first);
        if (input === RELEASE || target === node || runs.has(target) || leadsTo.has(target)) continue;
        const isForPeople = typeOf(target)?.read !== undefined && target.definition?.kind !== 'server';
        (isForPeople ? leadsTo : runs).add(target);
        if (!isForPeople) queue.push(target);
      }
    }
  };
  const isButton = node.blockType === 'buttonBlock';
  follow(node, (output) => !isButton || output === choice);
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) follow(next, () => true);
  return { runs: [...runs], leadsTo: [...leadsTo] };
}

/** The block at which a step restarts after a cycle. */
const beginningOf = ({ children, options }: BlockNode): BlockNode[] =>
  isObject(options) && options['cyclic'] === true ? children.slice(0, 1) : [];

const membersOf = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isObject) : []);
const namesIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
