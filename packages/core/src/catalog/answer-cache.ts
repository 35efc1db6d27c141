/** Answers of blocks as JSON text, kept for as long as nothing changes that they were worked out from. */
import { LRUCache } from 'lru-cache';
import type { Caller } from '../access/index.js';
import type { PolicyStore } from '../ports/index.js';
import type { Json } from '../records/index.js';
import type { BlockReference } from './block-reference.js';
import { revisionKeys } from '../transactions/index.js';

export interface Question {
  readonly caller: Caller;
  readonly policyId: string;
  readonly block: BlockReference;
  readonly query: Readonly<Record<string, string>>;
}

export interface Answered {
  readonly tag: string;
  readonly answer: Json;
  /** Whether the answer depends on nothing but the policy's records, the caller and the query. */
  readonly pure: boolean;
  /** The revision of the tools that the policy was compiled with; `null` for a policy that refers to no tool. */
  readonly tools: number | null;
}

interface Kept {
  readonly tag: string;
  readonly text: string;
  readonly revisions: string;
  readonly tools: number | null;
}

export class AnswerCache {
  readonly #kept: LRUCache<string, Kept>;

  constructor(
    private readonly store: PolicyStore,
    limits: { readonly answerCharacters: number },
  ) {
    this.#kept = new LRUCache({
      maxSize: limits.answerCharacters,
      sizeCalculation: ({ text }, key) => text.length + key.length,
    });
  }

  /**
   * The kept answer while the policy's revisions stand still; else a new one. It is kept only if they did not
   * move while it was worked out, since it could mix what was before with what came after.
   */
  async text(question: Question, answer: () => Promise<Answered>): Promise<{ tag: string; text: string }> {
    const key = keyOf(question);
    const before = await this.#revisions(question.policyId);
    const kept = this.#kept.get(key);
    if (kept?.revisions === before && (await this.#hasSameTools(kept))) return kept;
    const { tag, answer: value, pure, tools } = await answer();
    const fresh = { tag, text: JSON.stringify(value), revisions: before, tools };
    if (pure && (await this.#revisions(question.policyId)) === before) this.#kept.set(key, fresh);
    return fresh;
  }

  async #hasSameTools({ tools }: Kept): Promise<boolean> {
    return tools === null || tools === (await this.store.revision(revisionKeys.tools.of()));
  }

  async #revisions(policyId: string): Promise<string> {
    const [records, definition] = await Promise.all([
      this.store.revision(revisionKeys.policy.of(policyId)),
      this.store.revision(revisionKeys.definition.of(policyId)),
    ]);
    return `${String(records)}/${String(definition)}`;
  }
}

/** Everything an answer can depend on besides the records. Permissions are not among it: they are checked each time. */
const keyOf = ({ caller, policyId, block, query }: Question): string =>
  JSON.stringify([policyId, block, caller.did, caller.username ?? null, Object.entries(query)]);
