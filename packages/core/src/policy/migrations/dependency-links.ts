/** In archives a block names in `dependencies` the blocks that refresh it when they run; here that is what links are for. */
import type { EventSource } from '../../records/index.js';
import type { Finding } from '../model/finding.js';
import { pathOf, placesOf, type Place } from '../model/tree-walk.js';
import { pointerStep } from '../model/pointer.js';
import { linkKey, type MigratingPolicy } from './step.js';

/** Applies to archives of every version: the reference never removed the old key, and never looks at it at run time. */
export function dependencyLinks(policy: MigratingPolicy, findings: Finding[]): void {
  const places = placesOf(policy.root);
  const tags = new Set(places.map(({ block }) => block.tag));
  tags.delete('');
  const links = new Set(places.flatMap(({ block }) => block.events.map(linkKey)));
  for (const place of places) {
    const { block } = place;
    const linked: string[] = [];
    for (const [index, source] of block.dependencies.entries()) {
      if (!tags.has(source) || block.tag === '') {
        findings.push(unusable(place, index, source));
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
    if (linked.length > 0) policy.report(place, `Its dependencies became links that refresh it: ${linked.join(', ')}.`);
    block.dependencies = [];
  }
}

const unusable = ({ block, ...place }: Place, index: number, source: string): Finding => ({
  severity: 'warning',
  code: 'DEPENDENCY_UNKNOWN',
  message:
    block.tag === ''
      ? `A block without a tag cannot be refreshed by "${source}".`
      : `"${block.tag}" wants to be refreshed by "${source}", but no block has that tag.`,
  path: `${pathOf(place)}/dependencies${pointerStep(index)}`,
  block: block.id,
  ...(block.tag === '' ? {} : { tag: block.tag }),
});
