/** The blocks of a policy as rows of a tree, from its configuration. */

export interface BlockNode {
  readonly uuid: string;
  readonly type: string;
  readonly tag: string;
  readonly permissions: readonly string[];
  readonly isEnabled: boolean;
  readonly children: readonly BlockNode[];
  readonly links: readonly Link[];
  /** The configuration without children and links. */
  readonly options: Readonly<Record<string, unknown>>;
}

export interface Link {
  readonly source: string;
  readonly output: string;
  readonly target: string;
  readonly input: string;
  readonly isDisabled: boolean;
}

export interface Row {
  readonly node: BlockNode;
  readonly depth: number;
}

type Config = Readonly<Record<string, unknown>>;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const list = (value: unknown): readonly Config[] => (Array.isArray(value) ? (value as Config[]) : []);

export function blockNode(config: Config): BlockNode {
  const { children, events, id, blockType, tag, permissions, ...options } = config;
  return {
    uuid: text(id),
    type: text(blockType),
    tag: text(tag),
    permissions: Array.isArray(permissions) ? permissions.map(String) : [],
    isEnabled: options['disabled'] !== true,
    children: list(children).map(blockNode),
    links: list(events).map((event) => ({
      source: text(event['source']),
      output: text(event['output']),
      target: text(event['target']),
      input: text(event['input']),
      isDisabled: event['disabled'] === true,
    })),
    options,
  };
}

/** All visible rows, without those below collapsed blocks. A search shows matches and their ancestors. */
export function rowsOf(root: BlockNode, collapsed: ReadonlySet<string>, search: string): Row[] {
  const rows: Row[] = [];
  const wanted = search.trim().toLowerCase();
  const add = (node: BlockNode, depth: number): boolean => {
    const at = rows.length;
    rows.push({ node, depth });
    const isOpen = wanted !== '' || !collapsed.has(node.uuid);
    const below = isOpen ? node.children.map((child) => add(child, depth + 1)).some(Boolean) : false;
    const isWanted = wanted === '' || below || isMatch(node, wanted);
    if (!isWanted) rows.splice(at);
    return isWanted;
  };
  add(root, 0);
  return rows;
}

export const isMatch = ({ tag, type }: BlockNode, wanted: string): boolean =>
  tag.toLowerCase().includes(wanted) || type.toLowerCase().includes(wanted);

export function findNode(root: BlockNode, uuid: string): BlockNode | undefined {
  if (root.uuid === uuid) return root;
  for (const child of root.children) {
    const match = findNode(child, uuid);
    if (match !== undefined) return match;
  }
  return undefined;
}

/** Every event link from or to the tag. */
export function linksAt(root: BlockNode, tag: string): { incoming: Link[]; outgoing: Link[] } {
  const all = allLinks(root);
  return {
    incoming: all.filter(({ target }) => target === tag && tag !== ''),
    outgoing: all.filter(({ source }) => source === tag && tag !== ''),
  };
}

const allLinks = ({ links, children }: BlockNode): Link[] => [...links, ...children.flatMap(allLinks)];

/** The UUID of every block that has a tag. */
export function uuidsByTag(root: BlockNode, uuids = new Map<string, string>()): ReadonlyMap<string, string> {
  if (root.tag !== '') uuids.set(root.tag, root.uuid);
  for (const child of root.children) uuidsByTag(child, uuids);
  return uuids;
}
