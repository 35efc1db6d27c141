/** Builds the links between blocks: implicit ones and those written in the policy. */
import { hintAt, meantBy } from '../../options/index.js';
import type { Steps } from '../../loop-share.js';
import type { BlockSource, EventSource } from '../../records/index.js';
import { finding, suggestedValue } from '../model/block-finding.js';
import { pointerStep } from '../model/pointer.js';
import type { EventLink, Finding, FindingCode } from '../model/policy-model.js';
import type { CompiledBlock } from './compiled-block.js';
import { EventEnds } from './event-ends.js';

/**
 * Links of one output fire in the order in which they are created here: in tree order, and for each block its implicit
 * links first (reference, section "Links"). Any block may hold a written link, whatever its source.
 */
export function* compilingLinks(
  blocks: readonly CompiledBlock[],
  byTag: ReadonlyMap<string, CompiledBlock>,
  findings: Finding[],
): Steps<void> {
  const table = new LinkTable();
  const ends = new EventEnds();
  for (const block of blocks) {
    yield;
    addImplicitLinks(block, table);
    for (const { event, path } of writtenLinks(block.source)) {
      const problem = addWrittenLink(event, byTag, table, ends);
      if (problem === null) continue;
      const { code, message, end, meant } = problem;
      const suggestions = end === undefined || meant === undefined ? [] : [suggestedValue(`${path}/${end}`, meant)];
      findings.push(finding(block, { severity: 'warning', code, message, path, suggestions }));
    }
  }
  table.assign();
}

/** Those of a module also from its `innerEvents`, which editors write in addition to, or in place of, its `events`. */
function writtenLinks({ events, innerEvents = [] }: BlockSource): { event: EventSource; path: string }[] {
  const outer = new Set(events.map(linkKey));
  return [
    ...events.map((event, index) => ({ event, path: `/events${pointerStep(index)}` })),
    ...innerEvents
      .map((event, index) => ({ event, path: `/innerEvents${pointerStep(index)}` }))
      .filter(({ event }) => !outer.has(linkKey(event))),
  ].filter(({ event }) => !event.disabled);
}

const linkKey = ({ source, target, output, input, actor }: EventSource): string =>
  JSON.stringify([source, target, output, input, actor ?? '']);

/** `RunEvent` to the next sibling, `RefreshEvent` to the container, `ReleaseEvent` to a parent that takes it. */
function addImplicitLinks(block: CompiledBlock, table: LinkTable): void {
  const { parent, index, source } = block;
  if (parent === null) return;
  const next = parent.children[index + 1];
  if (next !== undefined && source.stopPropagation !== true) {
    table.add(block, { output: 'RunEvent', input: 'RunEvent', target: next, actor: 'initiator' });
  }
  if (parent.definition?.kind === 'container') table.addToParent(block, parent, 'RefreshEvent');
  if (parent.definition?.inputs?.includes('ReleaseEvent') === true) table.addToParent(block, parent, 'ReleaseEvent');
}

interface LinkProblem {
  readonly code: FindingCode;
  readonly message: string;
  /** The end that is wrong, and what was probably meant there. */
  readonly end?: 'source' | 'target' | 'output' | 'input';
  readonly meant?: string | undefined;
}

function addWrittenLink(
  event: EventSource,
  byTag: ReadonlyMap<string, CompiledBlock>,
  table: LinkTable,
  ends: EventEnds,
): LinkProblem | null {
  const { output, input } = event;
  const written = `The link from ${output || '?'} of "${event.source}" to ${input || '?'} of "${event.target}"`;
  const source = byTag.get(event.source);
  const target = byTag.get(event.target);
  if (source === undefined || target === undefined) {
    const end = source === undefined ? 'source' : 'target';
    const tag = event[end];
    const meant = tag === '' ? undefined : meantBy(tag, byTag);
    const why = tag === '' ? `its ${end} is blank` : `no block has the tag "${tag}"${hintAt(meant)}`;
    return { code: 'LINK_DANGLING', message: `${written} leads nowhere: ${why}.`, end, meant };
  }
  if (output === '' || input === '') return { code: 'LINK_DANGLING', message: `${written} names no event at one end.` };
  if (!ends.emits(source, output)) {
    const meant = ends.outputLike(source, output);
    const message = `${written} never fires: ${source.blockType} has no such output${hintAt(meant)}.`;
    return { code: 'LINK_NEVER_FIRES', message, end: 'output', meant };
  }
  if (!ends.takes(target, input)) {
    const meant = ends.inputLike(target, input);
    const message = `${written} does nothing: ${target.blockType} has no such input${hintAt(meant)}.`;
    return { code: 'LINK_NEVER_FIRES', message, end: 'input', meant };
  }
  const added = table.add(source, {
    output,
    input,
    target,
    actor: event.actor === '' || event.actor === null ? 'initiator' : event.actor,
  });
  return added ? null : { code: 'LINK_REPEATED', message: `${written} is there already; it fires once.` };
}

class LinkTable {
  readonly #links = new Map<CompiledBlock, Map<string, EventLink[]>>();
  readonly #keys = new Set<string>();
  readonly #toParent = new Map<string, EventLink[]>();

  /** Returns `false` for a duplicate. */
  add(source: CompiledBlock, link: EventLink): boolean {
    if (!this.#isNew(source, link)) return false;
    const links = this.#linksOf(source);
    const list = links.get(link.output);
    if (list === undefined) links.set(link.output, [link]);
    else if (Object.isFrozen(list)) links.set(link.output, [...list, link]);
    else list.push(link);
    return true;
  }

  /** All children share one list with one link to their parent: for most blocks it is the only one. */
  addToParent(child: CompiledBlock, parent: CompiledBlock, event: string): void {
    const key = `${event} ${parent.uuid}`;
    const shared = this.#toParent.get(key) ?? [{ output: event, input: event, target: parent, actor: 'initiator' }];
    this.#toParent.set(key, Object.freeze(shared) as EventLink[]);
    const links = this.#linksOf(child);
    for (const link of shared) {
      if (links.has(event)) this.add(child, link);
      else if (this.#isNew(child, link)) links.set(event, shared);
    }
  }

  /** Sets `links` of every block. */
  assign(): void {
    for (const [block, links] of this.#links) block.links = links;
  }

  #isNew(source: CompiledBlock, { output, input, target, actor }: EventLink): boolean {
    const before = this.#keys.size;
    return this.#keys.add(JSON.stringify([source.uuid, target.uuid, actor, output, input])).size > before;
  }

  #linksOf(source: CompiledBlock): Map<string, EventLink[]> {
    const links = this.#links.get(source) ?? new Map<string, EventLink[]>();
    this.#links.set(source, links);
    return links;
  }
}
