/** Resolves a topic name and an owner to a topic of the policy. */
import type { PolicyTopic } from '../records/index.js';
import { refuse } from './refuse.js';

/** The name by which blocks refer to the policy's own topic. */
export const ROOT_TOPIC = 'root';

/** The identity of a topic, and the memo to create it with at first use. */
export interface ResolvedTopic {
  readonly name: string;
  /** Empty for a topic that the whole policy shares. */
  readonly owner: string;
  readonly memo: string;
}

/** A non-static topic exists once per owner (engine reference, 7.7). Throws `LEDGER_REFUSED` for an unknown name. */
export function resolveTopic(topics: readonly PolicyTopic[], name: string, owner: string): ResolvedTopic {
  if (name === ROOT_TOPIC) return { name, owner: '', memo: '' };
  const topic = topics.find((candidate) => candidate.name === name);
  if (topic === undefined) {
    const names = [ROOT_TOPIC, ...topics.map((candidate) => candidate.name ?? '')].join(', ');
    return refuse(`the policy has no topic "${name}"; it has: ${names}`);
  }
  const memo = typeof topic['memo'] === 'string' ? topic['memo'] : '';
  return { name, owner: topic.static === true ? '' : owner, memo: memo || (topic.description ?? '') };
}
