/** Counts what waits at the blocks of a policy, for all users together: numbers from the store, no documents. */
import type { BlockRegistry, OpenPolicy } from '../catalog/index.js';
import { narrowed, type BlockType, type DocumentSource, type Selection } from '../block-api/index.js';
import { gridColumns, type GridColumn } from '../block-kit/index.js';
import { PolicyDocuments } from '../context/index.js';
import type { BlockNode } from '../policy/index.js';
import { allOf, equalTo, INSTANCE, type Condition } from '../records/index.js';
import type { RecordReader } from '../transactions/index.js';

/** A number is absent if the block cannot have the thing; numbers of requests and retries are also omitted if 0. */
export interface PendingWorkAtBlock {
  readonly uuid: string;
  readonly tag: string;
  readonly blockType: string;
  /** Documents that a source or a grid has for all users together, each counted once. */
  readonly documents?: number;
  /** Documents that wait for a user to act on them with this block. */
  readonly decisions?: number;
  /** What the block collects until more arrives: documents to be aggregated, documents being voted on. */
  readonly aggregation?: number;
  /** Open requests between instances that bring data for the block, or that it waits for. */
  readonly requests?: number;
  /** Events on which the block failed, and that will be retried. */
  readonly retries?: number;
}

export class PendingWorkCounts {
  readonly #documents: PolicyDocuments;
  readonly #columns: readonly GridColumn[];
  /** Many blocks look at the same documents: each query is sent to the store once. */
  readonly #counts = new Map<string, Promise<number>>();

  constructor(
    private readonly records: RecordReader,
    private readonly policy: OpenPolicy,
    private readonly registry: BlockRegistry,
  ) {
    this.#documents = new PolicyDocuments(records, policy.id);
    this.#columns = policy.view.blocks.flatMap(gridColumns);
  }

  /** Sequential, so that a large policy does not monopolize the store. */
  async of(blocks: readonly BlockNode[]): Promise<PendingWorkAtBlock[]> {
    const hasRequests = (await this.records.count('request', INSTANCE, this.#requests())) > 0;
    const hasRetries = (await this.records.count('timer', INSTANCE, this.#retries())) > 0;
    const counts: PendingWorkAtBlock[] = [];
    for (const block of blocks) {
      const { uuid, tag, blockType } = block;
      const retries = hasRetries ? await this.records.count('timer', INSTANCE, this.#retries(tag)) : 0;
      const requests = hasRequests ? await this.records.count('request', INSTANCE, this.#requests(tag)) : 0;
      counts.push({
        ...{ uuid, tag, blockType },
        ...(await this.#ofType(block)),
        ...(requests > 0 && { requests }),
        ...(retries > 0 && { retries }),
      });
    }
    return counts;
  }

  async #ofType(block: BlockNode): Promise<Pick<PendingWorkAtBlock, 'documents' | 'decisions' | 'aggregation'>> {
    const type = this.#workingType(block);
    if (type === undefined) return {};
    const shown = type.supplies === undefined ? this.#sourcesIn(block, type) : sourceOf(block, type);
    const acted = type.awaits?.(block.options);
    const rows = acted === undefined ? [] : this.#sourcesAround(block);
    return {
      ...(shown.length > 0 && { documents: await this.#count({ sources: shown }) }),
      ...(acted !== undefined &&
        rows.length > 0 && { decisions: await this.#count(narrowed({ sources: rows }, acted)) }),
      ...(type.gathers !== undefined && { aggregation: await this.#aggregation(block, type.gathers) }),
    };
  }

  /** The sources of a block that shows documents. */
  #sourcesIn(block: BlockNode, type = this.#workingType(block)): DocumentSource[] {
    return type?.select === undefined ? [] : this.#supplied(block.children);
  }

  /** The sources whose rows contain the block: in a column of their grid, or because it is inside the grid. */
  #sourcesAround(block: BlockNode): DocumentSource[] {
    const opening = this.#columns.filter(
      ({ bindBlock, bindBlocks }) => block.tag !== '' && (bindBlock === block.tag || bindBlocks.includes(block.tag)),
    );
    const sources = opening.flatMap(({ grid, source }) =>
      source === null ? this.#sourcesIn(grid) : this.#supplied([source]),
    );
    const around = block.parent === null ? [] : this.#sourcesIn(block.parent);
    return [...new Map([...sources, ...around].map((source) => [source.tag, source])).values()];
  }

  #supplied(blocks: readonly BlockNode[]): DocumentSource[] {
    return blocks.flatMap((block) => sourceOf(block, this.#workingType(block)));
  }

  /** A block whose type cannot work has nothing waiting. */
  #workingType(block: BlockNode): BlockType | undefined {
    return block.options === null ? undefined : this.registry.get(block.blockType);
  }

  #count(selection: Selection): Promise<number> {
    const key = JSON.stringify(selection.sources.map(({ where }) => where));
    const pendingCount = this.#counts.get(key) ?? this.#documents.count(selection);
    this.#counts.set(key, pendingCount);
    return pendingCount;
  }

  #aggregation({ tag }: BlockNode, which: Condition): Promise<number> {
    return this.records.count('block-entry', this.policy.id, allOf(equalTo('tag', tag), which));
  }

  #retries(tag?: string): Condition {
    const all = allOf(equalTo('policyId', this.policy.id), equalTo('type', 'retry'));
    return tag === undefined ? all : allOf(all, equalTo('tag', tag));
  }

  #requests(tag?: string): Condition {
    const at = (path: string): Condition[] => (tag === undefined ? [] : [equalTo(path, tag)]);
    const { id } = this.policy;
    const brings = allOf(equalTo('policyId', id), equalTo('type', 'send-data'), ...at('action.tag'));
    const resumes = allOf(equalTo('resume.policyId', id), ...at('resume.tag'));
    return allOf(equalTo('status', 'NEW'), { any: [brings, resumes] });
  }
}

const sourceOf = ({ tag, options }: BlockNode, type: BlockType | undefined): DocumentSource[] => {
  const where = type?.supplies?.(options);
  return where === undefined ? [] : [{ tag, where }];
};
