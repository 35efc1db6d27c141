/** Gathers the links of a policy while it is compiled; links that do the same are kept once. */
import type { CompiledBlock } from './compiled-block.js';
import type { EventLink } from '../model/policy-model.js';

export class LinkTable {
  readonly #links = new Map<CompiledBlock, Map<string, EventLink[]>>();
  readonly #keys = new Set<string>();
  readonly #toParent = new Map<string, EventLink[]>();

  /** `false` when there is the same link already. */
  add(source: CompiledBlock, link: EventLink): boolean {
    if (!this.#isNew(source, link)) return false;
    const links = this.#linksOf(source);
    const list = links.get(link.output);
    if (list === undefined) links.set(link.output, [link]);
    else if (Object.isFrozen(list)) links.set(link.output, [...list, link]);
    else list.push(link);
    return true;
  }

  /** All children of a block share one list with one link to it, which is what most blocks have. */
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

  /** Gives every block its links. */
  handOut(): void {
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
