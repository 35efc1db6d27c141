/** Which actions lead to blocks that were not reached yet, and how far away these are. */
import type { BlockNode, PolicyTree } from '@blockwork/core/block';
import { isWithin, sourcesOf } from '../sites.js';
import { actionsOf, type Action } from './actions.js';
import { documentsOf, filtersOf, lists } from './document-flow.js';

/** Discount factor per action of distance. */
const NEARER = 0.6;
/** Weight of an action that leads to nothing new; one that reaches a new block directly weighs 1. */
const NO_LEAD = 0.004;

interface Known {
  readonly action: Action;
  /** Indexes of actions that may enable this one. */
  readonly after: readonly number[];
}

/** By tag, so that it is valid in every world of the policy. */
export class Guidance {
  readonly #known: readonly Known[];
  readonly #at = new Map<string, number[]>();
  /** Number of reached blocks when the distances were computed. */
  #version = -1;
  #distances: readonly number[] = [];
  /** Actions that were refused on repeated attempts, and are considered dead ends. */
  readonly #hopeless = new Set<number>();
  #refusals = new Map<number, number>();

  constructor(tree: PolicyTree) {
    const actions = actionsOf(tree);
    const traits = actions.map(documentsOf);
    const filters = actions.map(filtersOf);
    const opensAfter = (later: number, earlier: number): boolean => {
      const [one, other] = [actions[earlier], actions[later]];
      const opening = traits[earlier];
      if (one === undefined || other === undefined || opening === undefined) return false;
      if (one.leadsTo.some((around) => isWithin(other.site.node, around))) return true;
      if (!opening.isChanged || one.runs.length === 0) return false;
      const { node, sources } = other.site;
      return (
        sources.some((source) => lists(source, opening, filters[later])) ||
        // The choices of a dropdown.
        (node.blockType === 'interfaceActionBlock' && sourcesOf(node).some((source) => lists(source, opening)))
      );
    };
    this.#known = actions.map((action, later) => ({
      action,
      after: actions.flatMap((_, earlier) => (earlier !== later && opensAfter(later, earlier) ? [earlier] : [])),
    }));
    for (const [index, { site }] of actions.entries()) {
      const at = this.#at.get(site.node.tag) ?? [];
      this.#at.set(site.node.tag, at);
      at.push(index);
    }
  }

  /** Recomputes the distances after progress. `version` grows with each newly reached block. */
  update(version: number, isReached: (node: BlockNode) => boolean): void {
    if (version === this.#version) return;
    this.#version = version;
    this.#distances = this.#computeDistances(isReached);
  }

  /** Score of a choice between 0 and 1; without a choice, the best score at the site. */
  worth(tag: string, choice?: string): number {
    const indexes = this.#at.get(tag) ?? [];
    const named = choice === undefined ? [] : indexes.filter((index) => this.#known[index]?.action.choice === choice);
    const chosen = named.length > 0 ? named : indexes;
    return Math.max(NO_LEAD, ...chosen.map((index) => NEARER ** (this.#distances[index] ?? Infinity)));
  }

  /** Records whether an action was accepted. Repeatedly refused actions become dead ends. */
  tried(tag: string, choice: string, isAccepted: boolean): void {
    for (const index of this.#at.get(tag) ?? []) {
      const guide = this.#known[index];
      if (guide === undefined || (guide.action.choice !== choice && guide.action.choice !== '')) continue;
      const refusals = isAccepted ? 0 : (this.#refusals.get(index) ?? 0) + 1;
      this.#refusals.set(index, refusals);
      const [was, is] = [this.#hopeless.has(index), refusals >= PATIENCE];
      if (was === is) continue;
      if (is) this.#hopeless.add(index);
      else this.#hopeless.delete(index);
      this.#version = -1;
    }
  }

  #computeDistances(isReached: (node: BlockNode) => boolean): number[] {
    const distances = this.#known.map(({ action }, index) =>
      !this.#hopeless.has(index) &&
      [action.site.node, ...action.runs, ...action.leadsTo].some((node) => !isReached(node))
        ? 0
        : Infinity,
    );
    const queue = distances.flatMap((distance, index) => (distance === 0 ? [index] : []));
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      for (const earlier of this.#known[next]?.after ?? []) {
        if (distances[earlier] !== Infinity || this.#hopeless.has(earlier)) continue;
        distances[earlier] = (distances[next] ?? 0) + 1;
        queue.push(earlier);
      }
    }
    return distances;
  }
}

/** Consecutive refusals. */
const PATIENCE = 12;
