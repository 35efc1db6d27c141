/** Turns the `dependencies` of archives, blocks that refresh this one when they run, into refresh links. */
import type { EventSource } from '../../../records/index.js';
import type { Finding } from '../../model/finding.js';
import { pathOf, walkTree, type BlockPosition } from '../../model/tree-walk.js';
import { pointerStep } from '../../model/pointer.js';
import { linkKey, type MigratingPolicy } from './step.js';

/** Applies to archives of all versions: the reference kept the key but ignores it at run time. */
export function dependencyLinks(policy: MigratingPolicy, findings: Finding[]): void {
  const positions = walkTree(policy.root);
  const tags = new Set(positions.map(({ block }) => block.tag));
  tags.delete('');
  const links = new Set(positions.flatMap(({ block }) => block.events.map(linkKey)));
  for (const position of positions) {
    const { block } = position;
    const linked: string[] = [];
    for (const [index, source] of block.dependencies.entries()) {
      if (!tags.has(source) || block.tag === '') {
        findings.push(unusable(position, index, source));
        continue;
      }
      const link: EventSource = {
        source,
        target: block.tag,
        output: 'RefreshEvent',
        input: 'RefreshEvent',
        actor: '',
        disabled: false,
      };
      if (links.has(linkKey(link))) continue;
      links.add(linkKey(link));
      block.events.push(link);
      linked.push(source);
    }
    if (linked.length > 0)
      policy.report(position, `Its dependencies became links that refresh it: ${linked.join(', ')}.`);
    block.dependencies = [];
  }
}

const unusable = ({ block, ...position }: BlockPosition, index: number, source: string): Finding => ({
  severity: 'warning',
  code: 'DEPENDENCY_UNKNOWN',
  message:
    block.tag === ''
      ? `A block without a tag cannot be refreshed by "${source}".`
      : `"${block.tag}" wants to be refreshed by "${source}", but no block has that tag.`,
  path: `${pathOf(position)}/dependencies${pointerStep(index)}`,
  block: block.id,
  ...(block.tag === '' ? {} : { tag: block.tag }),
});
