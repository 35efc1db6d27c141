/** Puts an edited definition back into the JSON value of its file: what was not edited stays as its author wrote it. */
import { isObject } from '@blockwork/core/records';

type Members = Readonly<Record<string, unknown>>;

/** What of a definition changes, as the engine gives it. */
export type Definition = Members & { readonly config: Members };

const keyed: Readonly<Record<string, (entry: Members) => unknown>> = {
  schemas: (schema) => schema['iri'] ?? (isObject(schema['document']) ? schema['document']['$id'] : undefined),
  tokens: (token) => token['tokenId'] ?? token['id'],
};

/**
 * `before` is the definition that the engine read from `written`, and `after` the edited one. Ids that the engine gave to blocks do
 * not get into the file; those that the author of the edit wrote do.
 */
export function writtenBack(
  written: Members,
  before: Definition,
  after: Definition,
  ids: ReadonlySet<unknown>,
): Members {
  const changed = Object.keys(after).filter((part) => part !== 'config' && !same(before[part], after[part]));
  const parts = changed.map((part) => {
    const keyOf = keyed[part];
    const [old, now] = [listOf(before[part]), listOf(after[part])];
    return [part, keyOf === undefined ? after[part] : entries(written[part], old, now, keyOf)] as const;
  });
  const blocks = new Blocks(before.config, written['config'], ids);
  return { ...written, ...Object.fromEntries(parts), config: blocks.written(after.config) };
}

function entries(
  written: unknown,
  before: readonly Members[],
  after: readonly Members[],
  keyOf: (entry: Members) => unknown,
): readonly unknown[] {
  const old = new Map(before.map((entry) => [keyOf(entry), entry]));
  const left = new Map(after.map((entry) => [keyOf(entry), entry]));
  const stayed = listOf(written).flatMap((entry) => {
    const now = left.get(keyOf(entry));
    left.delete(keyOf(entry));
    if (now === undefined) return [];
    return [same(old.get(keyOf(entry)), now) ? entry : now];
  });
  return [...stayed, ...left.values()];
}

/** Members of a block that its reader completes. */
const completed: readonly string[] = ['events', 'dependencies', 'children', 'uiMetaData'];

class Blocks {
  readonly #before = new Map<unknown, Members>();
  readonly #written = new Map<unknown, Members>();

  constructor(
    before: Members,
    written: unknown,
    private readonly ownIds: ReadonlySet<unknown>,
  ) {
    this.#match(before, written);
  }

  /** The reader keeps the tree as it is, so that the same place is the same block. */
  #match(before: Members, written: unknown): void {
    if (!isObject(written) || written['blockType'] !== before['blockType']) return;
    this.#before.set(before['id'], before);
    this.#written.set(before['id'], written);
    const [blocks, children] = [listOf(before['children']), listOf(written['children'])];
    if (blocks.length !== children.length) return;
    blocks.forEach((block, at) => {
      this.#match(block, children[at]);
    });
  }

  written(block: Members): Members {
    const [before, written] = [this.#before.get(block['id']), this.#written.get(block['id'])];
    return before === undefined || written === undefined ? this.#fresh(block) : this.#edited(block, before, written);
  }

  #edited(block: Members, before: Members, written: Members): Members {
    const value = (name: string): unknown => (name === 'children' ? this.#children(block) : block[name]);
    const stayed = Object.keys(written).flatMap((name): [string, unknown][] => {
      if (name === 'children' || (name in block && !same(block[name], before[name]))) return [[name, value(name)]];
      return name in block || !(name in before) ? [[name, written[name]]] : [];
    });
    const names = Object.keys(block);
    const added = names.filter((name) => {
      if (name in written || (name === 'id' && !this.ownIds.has(block['id']))) return false;
      return name === 'children' ? listOf(block[name]).length > 0 : !same(block[name], before[name]);
    });
    for (const name of added.reverse()) {
      // Before the member that follows it, so that what an undo brings back is where it was.
      const following = names.slice(names.indexOf(name) + 1);
      const at = stayed.findIndex(([each]) => following.includes(each));
      stayed.splice(at === -1 ? stayed.length : at, 0, [name, value(name)]);
    }
    return Object.fromEntries(stayed);
  }

  #fresh(block: Members): Members {
    const members = Object.entries(block).flatMap(([name, value]): [string, unknown][] => {
      if (name === 'id' && !this.ownIds.has(value)) return [];
      if (completed.includes(name) && isEmpty(value)) return [];
      if (name === 'defaultActive' && value === false) return [];
      return [[name, name === 'children' ? this.#children(block) : value]];
    });
    return Object.fromEntries(members);
  }

  #children(block: Members): readonly Members[] {
    return listOf(block['children']).map((child) => this.written(child));
  }
}

const listOf = (value: unknown): readonly Members[] => (Array.isArray(value) ? value.filter(isObject) : []);

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

const same = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);
