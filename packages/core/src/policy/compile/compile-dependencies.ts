/** Which blocks wait for which, and whether some wait for one another. */
import { finding } from '../model/block-finding.js';
import type { CompiledBlock } from './compiled-block.js';
import type { Finding } from '../model/finding.js';
import { pointerStep } from '../model/pointer.js';
import type { BlockNode } from '../model/policy-model.js';

/** Resolves the names; gives the blocks that others wait for. */
export function compileDependencies(
  blocks: readonly CompiledBlock[],
  byTag: ReadonlyMap<string, CompiledBlock>,
  findings: Finding[],
): Set<BlockNode> {
  const dependedOn = new Set<BlockNode>();
  for (const block of blocks) {
    if (block.source.dependencies.length === 0) continue;
    const dependencies = new Set<CompiledBlock>();
    for (const [index, tag] of block.source.dependencies.entries()) {
      const dependency = byTag.get(tag);
      if (dependency !== undefined) dependencies.add(dependency);
      else {
        const message = `"${block.tag}" depends on "${tag}", but no block has that tag; it does not wait for it.`;
        const path = `/dependencies${pointerStep(index)}`;
        findings.push(finding(block, { severity: 'warning', code: 'DEPENDENCY_UNKNOWN', message, path }));
      }
    }
    block.dependencies = Object.freeze([...dependencies]);
    for (const dependency of dependencies) dependedOn.add(dependency);
  }
  if (dependedOn.size > 0) findCircles(blocks, findings);
  return dependedOn;
}

interface Step {
  readonly block: BlockNode;
  readonly waitsFor: readonly BlockNode[];
  next: number;
}

/** A block waits for what it depends on, and for the block around it, without which it cannot be reached. */
const stepTo = (block: BlockNode): Step => ({
  block,
  waitsFor: block.parent === null ? block.dependencies : [block.parent, ...block.dependencies],
  next: 0,
});

/** A search in depth; coming back to a block that is still being searched closes a circle. Each block closes one at most. */
function findCircles(blocks: readonly BlockNode[], findings: Finding[]): void {
  const done = new Set<BlockNode>();
  const told = new Set<BlockNode>();
  for (const start of blocks) {
    if (done.has(start)) continue;
    const way: Step[] = [stepTo(start)];
    const open = new Map<BlockNode, number>([[start, 0]]);
    for (let step = way.at(-1); step !== undefined; step = way.at(-1)) {
      const block = step.waitsFor[step.next++];
      if (block === undefined) {
        open.delete(step.block);
        done.add(step.block);
        way.pop();
        continue;
      }
      const from = open.get(block);
      if (from !== undefined) {
        if (!told.has(step.block))
          findings.push(
            circle(
              way.slice(from).map((on) => on.block),
              step.block,
            ),
          );
        told.add(step.block);
      } else if (!done.has(block)) {
        open.set(block, way.length);
        way.push(stepTo(block));
      }
    }
  }
}

const LONGEST_MESSAGE = 12;

/** @param blocks each waits for the next; the last, which is `closing`, for the first. */
function circle(blocks: readonly BlockNode[], closing: BlockNode): Finding {
  const next = (index: number): BlockNode => blocks[index + 1] ?? blocks[0] ?? closing;
  const blamed = blocks.find((block, index) => block.dependencies.includes(next(index))) ?? closing;
  const names = blocks.slice(0, LONGEST_MESSAGE).map((block) => `"${block.tag}"`);
  if (blocks.length > LONGEST_MESSAGE) names.push('…');
  const message = `These blocks wait for one another and never open: ${[...names, names[0]].join(', ')}.`;
  return finding(blamed, { code: 'DEPENDENCY_CIRCULAR', message, path: '/dependencies' });
}
