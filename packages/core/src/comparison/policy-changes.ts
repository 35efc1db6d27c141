/** A semantic comparison of two versions of a policy: roles, tokens, schemas, blocks and events. */
import { accessPath } from '../access/index.js';
import type { BlockNode, PolicyTree } from '../policy/index.js';
import type { ArtifactRecord, SchemaRecord, TokenRecord } from '../records/index.js';
import { withSchemaNames } from './named-schemas.js';
import {
  canonical,
  changedMembers,
  compareBy,
  compareNames,
  type PolicyChange,
  schemaChanges,
} from './schema-changes.js';

/** The policy's metadata. Values of any type are compared. */
interface Facts {
  readonly name: string;
  readonly description?: unknown;
  readonly topicDescription?: unknown;
  readonly version?: unknown;
  readonly policyGroups?: unknown;
  readonly policyTopics?: unknown;
  readonly policyTokens?: unknown;
}

/** The parts of a policy that are compared. */
export interface ComparedPolicy {
  readonly about: Facts;
  readonly tree: PolicyTree;
  readonly schemas: readonly SchemaRecord[];
  readonly tokens: readonly TokenRecord[];
  readonly artifacts: readonly ArtifactRecord[];
}

/** The differences of the second policy from the first. */
export const policyChanges = (before: ComparedPolicy, after: ComparedPolicy): PolicyChange[] => [
  ...factChanges(before, after),
  ...roleChanges(before, after),
  ...tokenChanges(before, after),
  ...schemaChanges(before.schemas, after.schemas),
  ...blockChanges(before, after),
  ...eventChanges(before, after),
  ...fileChanges(before, after),
];

function factChanges({ about: old }: ComparedPolicy, { about: now }: ComparedPolicy): PolicyChange[] {
  const facts = (about: Facts): object => {
    const { name, description, topicDescription, version, policyGroups, policyTopics, policyTokens } = about;
    return { name, description, topicDescription, version, policyGroups, policyTopics, policyTokens };
  };
  return changedMembers(facts(old), facts(now)).map((change) => ({ area: 'policy', name: now.name, change }));
}

/** Every class of users that permissions distinguish. */
const usersOf = (roles: readonly string[]): Map<string, { role: string | null; isOwner: boolean }> =>
  new Map<string, { role: string | null; isOwner: boolean }>([
    ['owner', { role: null, isOwner: true }],
    ['nobody', { role: null, isOwner: false }],
    ...roles.map((role) => [role, { role, isOwner: false }] as const),
  ]);

function roleChanges(before: ComparedPolicy, after: ComparedPolicy): PolicyChange[] {
  const { added, removed } = compareNames(before.tree.roles, after.tree.roles);
  const users = usersOf([...new Set([...before.tree.roles, ...after.tree.roles])]);
  const abilities = [...users].flatMap(([name, user]) => {
    const change = compareNames(abilitiesOf(before, user), abilitiesOf(after, user));
    return [
      ...change.added.map((ability) => ({ area: 'role', name, change: `can now ${ability}` }) as const),
      ...change.removed.map((ability) => ({ area: 'role', name, change: `can no longer ${ability}` }) as const),
    ];
  });
  return [
    ...added.map((name) => ({ area: 'role', name, change: 'is new' }) as const),
    ...removed.map((name) => ({ area: 'role', name, change: 'is gone' }) as const),
    ...abilities,
  ];
}

/** What a user can eventually do, regardless of preconditions. */
function abilitiesOf({ tree }: ComparedPolicy, user: { role: string | null; isOwner: boolean }): string[] {
  return tree.blocks.flatMap((block) => {
    if (!block.named || block.definition === null) return [];
    const { outcome } = accessPath(block, user, () => false);
    if (outcome === 'forbidden' || outcome === 'inactive') return [];
    const { kind } = block.definition;
    const [takes, shows] = ['receive' in block.definition, 'read' in block.definition];
    if (kind !== 'interface' || !(takes || shows)) return [];
    const verb = takes && shows ? 'use' : takes ? 'send to' : 'see';
    return [`${verb} "${block.tag}" (${block.blockType})`];
  });
}

function tokenChanges(before: ComparedPolicy, after: ComparedPolicy): PolicyChange[] {
  const { added, removed, pairs } = compareBy(before.tokens, after.tokens, ({ id }) => id);
  const name = ({ id, tokenSymbol }: TokenRecord): string => `${tokenSymbol} (${id})`;
  return [
    ...added.map((token) => ({ area: 'token', name: name(token), change: 'is new' }) as const),
    ...removed.map((token) => ({ area: 'token', name: name(token), change: 'is gone' }) as const),
    ...pairs.flatMap(([old, now]) =>
      changedMembers(old.source, now.source, ['_id', 'id', 'createDate', 'updateDate']).map(
        (change) => ({ area: 'token', name: name(now), change }) as const,
      ),
    ),
    ...mintChanges(before, after),
  ];
}

/** Changes in blocks that refer to a token and compute an amount. */
function mintChanges(before: ComparedPolicy, after: ComparedPolicy): PolicyChange[] {
  const minting = ({ tree }: ComparedPolicy): BlockNode[] =>
    tree.blocks.filter(({ source }) => 'rule' in source && ('tokenId' in source || 'template' in source));
  const { added, removed } = compareBy(minting(before), minting(after), keyOf);
  const what = ({ blockType, source }: BlockNode): string =>
    `${blockType} of token ${JSON.stringify(source['tokenId'] ?? source['template'])} by the rule ${JSON.stringify(source['rule'])}`;
  const pairs = compareBy(minting(before), minting(after), keyOf).pairs.filter(([old, now]) => what(old) !== what(now));
  return [
    ...added.map((block) => ({ area: 'token', name: keyOf(block), change: `new: ${what(block)}` }) as const),
    ...removed.map((block) => ({ area: 'token', name: keyOf(block), change: `gone: ${what(block)}` }) as const),
    ...pairs.map(
      ([old, now]) => ({ area: 'token', name: keyOf(now), change: `${what(old)} -> ${what(now)}` }) as const,
    ),
  ];
}

/** The tag, or the position for a block without one. */
const keyOf = (block: BlockNode): string => (block.named ? block.tag : `${block.blockType} at ${block.path || '/'}`);

/** The author's settings of the block itself. */
const ownMembers = ({
  source: { id: _id, tag: _tag, children: _children, events: _events, ...members },
}: BlockNode): object => members;

function blockChanges(before: ComparedPolicy, after: ComparedPolicy): PolicyChange[] {
  // A block of another type has entirely different options.
  const memberChanges = (old: BlockNode, now: BlockNode): string[] =>
    old.blockType === now.blockType
      ? changedMembers(
          withSchemaNames(ownMembers(old), before.schemas),
          withSchemaNames(ownMembers(now), after.schemas),
        )
      : [`was a ${old.blockType}, is a ${now.blockType}`];
  const { added, removed, pairs } = compareBy(before.tree.blocks, after.tree.blocks, keyOf);
  const place = ({ parent }: BlockNode): string => (parent === null ? 'the root' : `in "${keyOf(parent)}"`);
  const moved = pairs.filter(([old, now]) => (old.parent && keyOf(old.parent)) !== (now.parent && keyOf(now.parent)));
  return [
    ...added.map(
      (block) => ({ area: 'block', name: keyOf(block), change: `new ${block.blockType} ${place(block)}` }) as const,
    ),
    ...removed.map(
      (block) => ({ area: 'block', name: keyOf(block), change: `gone: ${block.blockType} ${place(block)}` }) as const,
    ),
    ...moved.map(
      ([old, now]) => ({ area: 'block', name: keyOf(now), change: `moved: ${place(old)} -> ${place(now)}` }) as const,
    ),
    ...pairs.flatMap(([old, now]) =>
      memberChanges(old, now).map((change) => ({ area: 'block', name: keyOf(now), change }) as const),
    ),
  ];
}

function eventChanges(before: ComparedPolicy, after: ComparedPolicy): PolicyChange[] {
  const events = ({ tree }: ComparedPolicy): { tag: string; link: string }[] =>
    tree.blocks.flatMap((block) =>
      [...block.links.values()].flat().map(({ output, input, target, actor }) => {
        const as = actor === 'initiator' ? '' : ` as ${actor}`;
        return { tag: keyOf(block), link: `${output} -> "${keyOf(target)}" ${input}${as}` };
      }),
    );
  const { added, removed } = compareBy(events(before), events(after), (event) => canonical(event));
  return [
    ...added.map(({ tag, link }) => ({ area: 'event', name: tag, change: `new: ${link}` }) as const),
    ...removed.map(({ tag, link }) => ({ area: 'event', name: tag, change: `gone: ${link}` }) as const),
  ];
}

/** Changes in scripts and tables used by blocks. */
function fileChanges(before: ComparedPolicy, after: ComparedPolicy): PolicyChange[] {
  const { added, removed, pairs } = compareBy(before.artifacts, after.artifacts, ({ id }) => id);
  const change = ({ name, extension }: ArtifactRecord, text: string): PolicyChange => ({
    area: 'file',
    name: extension === '' ? name : `${name}.${extension}`,
    change: text,
  });
  return [
    ...added.map((file) => change(file, 'is new')),
    ...removed.map((file) => change(file, 'is gone')),
    ...pairs.flatMap(([old, now]) => (old.content === now.content ? [] : [change(now, 'has other content')])),
  ];
}
