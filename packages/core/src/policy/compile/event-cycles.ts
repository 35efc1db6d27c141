/** Finds infinite event loops: cycles of links through blocks that always pass a run on. */
import type { Steps } from '../../loop-share.js';
import { finding } from '../model/block-finding.js';
import { RUN } from '../model/event-names.js';
import type { BlockNode, Finding } from '../model/policy-model.js';
import { portsOf } from './event-ends.js';

/** An event at a block that always responds with another event. */
interface Passage {
  readonly block: BlockNode;
  readonly input: string;
}

interface Step {
  readonly passage: Passage;
  readonly following: Passage[];
}

/** One error per cycle closed by the depth-first search. */
export function* findingCycles(blocks: readonly BlockNode[]): Steps<Finding[]> {
  const done = new Set<string>();
  const findings: Finding[] = [];
  for (const block of blocks) {
    for (const input of passingInputs(block)) yield* search({ block, input }, done, findings);
    yield;
  }
  return findings;
}

/** Uses an explicit stack, since a chain of links may be as long as the policy. */
function* search(start: Passage, done: Set<string>, findings: Finding[]): Steps<void> {
  if (done.has(keyOf(start))) return;
  const stack: Step[] = [stepOf(start)];
  const onStack = new Set([keyOf(start)]);
  for (let step = stack.at(-1); step !== undefined; step = stack.at(-1)) {
    yield;
    const passage = step.following.pop();
    if (passage === undefined) {
      stack.pop();
      onStack.delete(keyOf(step.passage));
      done.add(keyOf(step.passage));
    } else if (onStack.has(keyOf(passage))) {
      const from = stack.findIndex((each) => keyOf(each.passage) === keyOf(passage));
      findings.push(cycleFinding(stack.slice(from).map((each) => each.passage.block)));
    } else if (!done.has(keyOf(passage))) {
      onStack.add(keyOf(passage));
      stack.push(stepOf(passage));
    }
  }
}

const keyOf = ({ block, input }: Passage): string => `${block.uuid} ${input}`;

const stepOf = (passage: Passage): Step => ({ passage, following: nextPassages(passage).reverse() });

/** The passages an event reaches next. */
const nextPassages = ({ block, input }: Passage): Passage[] =>
  (block.links.get(input) ?? [])
    .filter((link) => passingInputs(link.target).includes(link.input))
    .map((link) => ({ block: link.target, input: link.input }));

/** Inputs the block passes on as an output of the same name. */
function passingInputs(block: BlockNode): readonly string[] {
  if (block.definition?.passesOn === true) return [RUN];
  const ports = portsOf(block);
  return ports === 'any' ? [] : ports;
}

const MOST_NAMES = 12;

function cycleFinding(blocks: readonly BlockNode[]): Finding {
  const [first] = blocks;
  const named = blocks.slice(0, MOST_NAMES).map(({ tag }) => `"${tag}"`);
  if (blocks.length > MOST_NAMES) named.push('…');
  const message = `A run through ${[...named, named[0]].join(', ')} never ends: each of these blocks passes it on to the next. Remove a link, set stopPropagation, or put a block between them that waits or decides.`;
  if (first === undefined) return { severity: 'error', code: 'LINK_CIRCULAR', message, path: '' };
  return finding(first, { code: 'LINK_CIRCULAR', message, path: '/events' });
}
