/** Collects the links of a policy during compilation and drops duplicates. */
import type { CompiledBlock } from './compiled-block.js';
import type { EventLink } from '../model/policy-model.js';

export class LinkTable {
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
