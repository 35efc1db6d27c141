/** Resolves the dependencies between blocks and finds cycles. */
import { hintAt, meantBy } from '../../options/index.js';
import { finding } from '../model/block-finding.js';
import type { CompiledBlock } from './compiled-block.js';
import { pointerStep } from '../model/pointer.js';
import type { BlockNode, Finding } from '../model/policy-model.js';

/** Sets `dependencies` of each block. @returns the blocks that others depend on. */
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
        const meant = meantBy(tag, byTag);
        const message = `"${block.tag}" depends on "${tag}", but no block has that tag; it does not wait for it${hintAt(meant)}.`;
        const path = `/dependencies${pointerStep(index)}`;
        findings.push(finding(block, { severity: 'warning', code: 'DEPENDENCY_UNKNOWN', message, path, meant }));
      }
    }
    block.dependencies = Object.freeze([...dependencies]);
    for (const dependency of dependencies) dependedOn.add(dependency);
  }
  if (dependedOn.size > 0) findCycles(blocks, findings);
  return dependedOn;
}

interface Step {
  readonly block: BlockNode;
  readonly waitsFor: readonly BlockNode[];
  next: number;
}

/** A block waits for its dependencies and for its parent, without which it cannot be reached. */
const stepTo = (block: BlockNode): Step => ({
  block,
  waitsFor: block.parent === null ? block.dependencies : [block.parent, ...block.dependencies],
  next: 0,
});

/** Depth-first search with an explicit stack: an edge to a block on the stack closes a cycle. Reports one cycle per block. */
function findCycles(blocks: readonly BlockNode[], findings: Finding[]): void {
  const done = new Set<BlockNode>();
  const reported = new Set<BlockNode>();
  for (const start of blocks) {
    if (done.has(start)) continue;
    const stack: Step[] = [stepTo(start)];
    const onStack = new Map<BlockNode, number>([[start, 0]]);
    for (let step = stack.at(-1); step !== undefined; step = stack.at(-1)) {
      const block = step.waitsFor[step.next++];
      if (block === undefined) {
        onStack.delete(step.block);
        done.add(step.block);
        stack.pop();
        continue;
      }
      const from = onStack.get(block);
      if (from !== undefined) {
        if (!reported.has(step.block))
          findings.push(
            cycleFinding(
              stack.slice(from).map((on) => on.block),
              step.block,
            ),
          );
        reported.add(step.block);
      } else if (!done.has(block)) {
        onStack.set(block, stack.length);
        stack.push(stepTo(block));
      }
    }
  }
}

const MAX_NAMES = 12;

/** @param blocks a cycle: each waits for the next, and the last, `closing`, for the first. */
function cycleFinding(blocks: readonly BlockNode[], closing: BlockNode): Finding {
  const next = (index: number): BlockNode => blocks[index + 1] ?? blocks[0] ?? closing;
  const subject = blocks.find((block, index) => block.dependencies.includes(next(index))) ?? closing;
  const names = blocks.slice(0, MAX_NAMES).map((block) => `"${block.tag}"`);
  if (blocks.length > MAX_NAMES) names.push('…');
  const message = `These blocks wait for one another and never open: ${[...names, names[0]].join(', ')}.`;
  return finding(subject, { code: 'DEPENDENCY_CIRCULAR', message, path: '/dependencies' });
}
