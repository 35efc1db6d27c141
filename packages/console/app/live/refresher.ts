/** Refetches queries that an event makes stale; counts, the most expensive ones, are throttled. */
import type { PolicyEvent } from '@blockwork/client';
import type { QueryClient } from '@tanstack/react-query';
import { blockNode, type BlockNode } from '../policy/tree/tree-model.js';

/** Pause between counts, as a multiple of their duration: with counts of 1 second, one starts every 5 seconds. */
const REST_AFTER_COUNTS = 4;

const isCount = ([kind]: QueryKey): boolean => kind === 'pending work';

export class Refresher {
  readonly #reads: Rounds;
  readonly #counts: Rounds;

  constructor(private readonly queries: QueryClient) {
    this.#reads = new Rounds(queries);
    this.#counts = new Rounds(queries, { rest: REST_AFTER_COUNTS });
  }

  note(event: PolicyEvent): void {
    const root = event.type === 'unit' ? this.#treeOf(event.policyId) : undefined;
    const isStale = staleAfter(event, root, event.type === 'status' ? this.#ownEditOf(event.policyId) : undefined);
    this.#reads.note((key) => !isCount(key) && isStale(key));
    this.#counts.note((key) => isCount(key) && isStale(key));
  }

  /** Refetches queries that failed while the server was unavailable. */
  recover(): void {
    void this.queries.refetchQueries({ predicate: ({ state }) => state.status === 'error' });
  }

  #ownEditOf(policyId: string): number | undefined {
    return this.queries.getQueryData<number>(ownEditKey(policyId));
  }

  #treeOf(policyId: string): BlockNode | undefined {
    const [tree] = this.queries.getQueriesData<{ readonly config?: Readonly<Record<string, unknown>> }>({
      queryKey: ['policy', policyId],
    });
    const config = tree?.[1]?.config;
    return config && blockNode(config);
  }
}

type Test = (key: QueryKey) => boolean;

interface RoundsOptions {
  /** Pause after a round, as a multiple of its duration, which bounds the share of the server's time. */
  readonly rest?: number;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
  readonly wait?: (milliseconds: number) => Promise<void>;
}

export class Rounds {
  #waiting: Test[] = [];
  #isRunning = false;
  readonly #rest: number;
  readonly #now: () => number;
  readonly #wait: (milliseconds: number) => Promise<void>;

  constructor(
    private readonly queries: Pick<QueryClient, 'invalidateQueries'>,
    { rest = 0, now = () => performance.now(), wait = pause }: RoundsOptions = {},
  ) {
    this.#rest = rest;
    this.#now = now;
    this.#wait = wait;
  }

  /** Queries that match are refetched, now or in the next round. */
  note(test: Test): void {
    this.#waiting.push(test);
    if (!this.#isRunning) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      const tests = this.#waiting;
      this.#waiting = [];
      const began = this.#now();
      const predicate = ({ queryKey }: { queryKey: QueryKey }): boolean => tests.some((isStale) => isStale(queryKey));
      await this.queries.invalidateQueries({ predicate });
      const took = this.#now() - began;
      if (this.#rest > 0) await this.#wait(took * this.#rest);
    }
    this.#isRunning = false;
  }
}

const pause = async (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

type UnitEvent = Extract<PolicyEvent, { type: 'unit' }>;

/** `[kind, policyId, ...]`; of a block, `['block', policyId, person, name]`. */
type QueryKey = readonly unknown[];

/** The block that lists group members. */
const GROUPS = 'groupManagerBlock';
/** Blocks that change roles, and with them the policy's record and the members of groups. */
const roleBlocks: ReadonlySet<string> = new Set(['policyRolesBlock', GROUPS]);
/** Blocks that show documents without a source block, so that no event names them. */
const documentBlocks: ReadonlySet<string> = new Set(['reportBlock', 'messagesReportBlock']);
/** Query kinds that any unit of work makes stale. */
const staleAfterAnyUnit: ReadonlySet<string> = new Set(['journal', 'why', 'timers', 'tokens']);

/** Where the editor of a draft keeps the revision of its own last edit; infinite while it saves one. */
export const ownEditKey = (policyId: string): QueryKey => ['own edit', policyId];

/** What the editor itself reads again after each of its edits. */
const readByEditor: ReadonlySet<string> = new Set(['definition', 'findings']);

/**
 * A predicate on query keys. `root` is the block tree of the event's policy, if loaded, and `ownEdit` the revision of its definition
 * after the last edit of this page.
 */
export function staleAfter(event: PolicyEvent, root: BlockNode | undefined, ownEdit = 0): (key: QueryKey) => boolean {
  if (event.type === 'open') return () => true;
  const { policyId } = event;
  if (event.type !== 'unit') {
    const isOwn = event.type === 'status' && event.definition !== undefined && event.definition <= ownEdit;
    return ([kind, id]) =>
      kind === 'policies' || (id === policyId && kind !== 'own edit' && !(isOwn && readByEditor.has(String(kind))));
  }
  const named = new Set(event.tags);
  const mayWait = changesCounts(event);
  if (root === undefined)
    return ([kind, id]) =>
      id === policyId && kind !== 'findings' && kind !== 'policy' && (kind !== 'pending work' || mayWait);
  const changesRoles = isAnywhere(root, ({ tag, type }) => named.has(tag) && roleBlocks.has(type));
  const isStale = (node: BlockNode): boolean =>
    named.has(node.tag) || (event.documents && isShowing(node)) || (changesRoles && node.type === GROUPS);
  const uuids = touchedBy(root, isStale);
  return ([kind, id, , name]) => {
    if (id !== policyId) return false;
    if (kind === 'block') return isTouched(String(name), named, uuids);
    if (kind === 'pending work') return mayWait;
    if (kind === 'policy') return changesRoles;
    return staleAfterAnyUnit.has(String(kind)) || (kind === 'documents' && event.documents);
  };
}

/** Pending work changes with documents, timer ticks and retries; the rest is polled anyway. */
const changesCounts = ({ documents, cause }: UnitEvent): boolean => documents || cause === 'tick' || cause === 'retry';

const isShowing = ({ type }: BlockNode): boolean => documentBlocks.has(type);

const isTouched = (name: string, tags: ReadonlySet<string>, uuids: ReadonlySet<string>): boolean =>
  name === 'root' || uuids.has(name) || (name.startsWith('tag:') && tags.has(name.slice('tag:'.length)));

const isAnywhere = (node: BlockNode, isMeant: (node: BlockNode) => boolean): boolean =>
  isMeant(node) || node.children.some((child) => isAnywhere(child, isMeant));

/** The blocks with their descendants and ancestors: containers change with their children, grids with their filters. */
function touchedBy(root: BlockNode, isMoved: (node: BlockNode) => boolean): ReadonlySet<string> {
  const uuids = new Set<string>();
  const visit = (node: BlockNode, isInside: boolean): boolean => {
    const isOne = isMoved(node);
    const inside = isInside || isOne;
    const below = node.children.map((child) => visit(child, inside)).some(Boolean);
    if (inside || below) uuids.add(node.uuid);
    return isOne || below;
  };
  visit(root, false);
  return uuids;
}
