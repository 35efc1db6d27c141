/** Sites where players found nothing to do, and the events that make them worth a retry. */
import type { DocumentRecord, JournalEntry } from '@blockwork/core';
import type { BlockNode } from '@blockwork/core/block';
import { fits } from './guidance/document-flow.js';
import type { Player } from './player.js';
import type { PolicyWorld } from './world/policy-world.js';
import { isWithin, sourcesOf, type Site } from './sites.js';

/** Sites that were often closed or empty are tried less often, but never dropped. */
const LEAST_HOPE = 0.02;

interface Idle {
  /** The revision of the last idle visit. */
  readonly revision: number;
  /** Consecutive idle visits. */
  readonly times: number;
}

export class IdleSites {
  readonly #idle = new Map<BlockNode, Map<string, Idle>>();
  readonly #sources: readonly { readonly node: BlockNode; readonly sources: readonly BlockNode[] }[];

  constructor(private readonly sites: readonly Site[]) {
    this.#sources = sites.map(({ node, sources }) => ({ node, sources: [...sources, ...sourcesOf(node)] }));
  }

  /** Between 0 and 1; 0 as long as nothing has changed at all. */
  hope({ name }: Player, { node }: Site, revision: number): number {
    const idle = this.#idle.get(node)?.get(name);
    if (idle === undefined) return 1;
    return idle.revision === revision ? 0 : Math.max(LEAST_HOPE, 0.5 ** idle.times);
  }

  foundNothing({ name }: Player, { node }: Site, revision: number): void {
    const players = this.#idle.get(node) ?? new Map<string, Idle>();
    this.#idle.set(node, players);
    players.set(name, { revision, times: (players.get(name)?.times ?? 0) + 1 });
  }

  foundSomething({ name }: Player, { node }: Site): void {
    this.#idle.get(node)?.delete(name);
  }

  /** New documents that a site may show, and runs that reached or surround it, warrant a retry. */
  changed(world: PolicyWorld, units: readonly JournalEntry[], documents: readonly DocumentRecord[]): void {
    for (const { node, sources } of this.#sources) {
      if (!this.#idle.has(node)) continue;
      if (sources.some((source) => documents.some((document) => fits(source, document)))) this.#idle.delete(node);
    }
    for (const { target, did } of units.flatMap(({ events }) => events)) {
      const [around, player] = [world.block(target), world.playerWith(did)];
      if (around === undefined || player === undefined) continue;
      for (const { node } of this.sites) if (isWithin(node, around)) this.#idle.get(node)?.delete(player.name);
    }
  }
}
