/** Inlines the blocks of tools into the policy that refers to them (reference: building a policy with tools). */
import { createHash } from 'node:crypto';
import {
  type BlockSource,
  type EventSource,
  isObject,
  toolKey,
  type ToolRecord,
  type ToolReference,
} from '../../records/index.js';
import type { Finding } from '../model/policy-model.js';
import { type BlockPosition, pathOf, walkTree } from '../model/tree-walk.js';

export interface ExpandLimits {
  /** Maximum number of blocks, including those of tools. */
  readonly blocks: number;
  /** Maximum levels of blocks, counting the root. */
  readonly depth: number;
}

export interface Expanded {
  /** The same object if the policy refers to no tools. */
  readonly config: BlockSource;
  /** One per tool that could not be inlined. */
  readonly findings: readonly Finding[];
}

type Tools = ReadonlyMap<string, Pick<ToolRecord, 'config'>>;

/** @param tools by `toolKey`. Tools not listed stay empty. `config` is not changed. */
export function expandTools(config: BlockSource, tools: Tools, limits: ExpandLimits): Expanded {
  const positions = walkTree(config);
  if (!positions.some(({ block, parent }) => parent !== null && isTool(block))) return { config, findings: [] };
  return new Expansion(tools, limits, positions).expand();
}

interface Pending {
  readonly position: BlockPosition;
  readonly level: number;
  /** Keys of the tools that contain the block. */
  readonly within: readonly string[];
}

class Expansion {
  readonly #findings: Finding[] = [];
  readonly #tags: Set<string>;
  readonly #links: EventSource[];
  #blocks: number;

  constructor(
    private readonly tools: Tools,
    private readonly limits: ExpandLimits,
    private readonly positions: readonly [BlockPosition, ...BlockPosition[]],
  ) {
    this.#blocks = positions.length;
    this.#tags = new Set(positions.map(({ block }) => block.tag));
    this.#links = positions.flatMap(({ block }) => block.events);
  }

  expand(): Expanded {
    const [{ block: root }] = this.positions;
    const config = { ...root };
    const stack: Pending[] = [{ position: { block: config, parent: null, index: 0 }, level: 1, within: [] }];
    for (let pending = stack.pop(); pending !== undefined; pending = stack.pop()) {
      const { position, level } = pending;
      const { block } = position;
      const within = position.parent !== null && isTool(block) ? this.#inline(block, pending) : pending.within;
      block.children = block.children.map((child) => ({ ...child }));
      for (let index = block.children.length - 1; index >= 0; index -= 1) {
        const child = block.children[index];
        if (child) stack.push({ position: { block: child, parent: position, index }, level: level + 1, within });
      }
    }
    return { config, findings: this.#findings };
  }

  /**
   * Fills the block with the tool's ports, variables, links and children. @returns the tools that contain its children.
   */
  #inline(block: BlockSource, pending: Pending): readonly string[] {
    const key = toolKey(referenceOf(block));
    const tool = this.tools.get(key);
    block.children = [];
    const problem =
      tool === undefined ? this.#missingMessage(block) : this.#rejectionReason(block, tool.config, key, pending);
    if (tool === undefined || problem !== null) {
      this.#report(pending.position, problem ?? '', tool === undefined);
      return pending.within;
    }
    const { config } = tool;
    const retag = retagFor(config.tag, block.tag);
    const own = block.events;
    Object.assign(block, {
      variables: config['variables'] ?? [],
      inputEvents: config['inputEvents'] ?? [],
      outputEvents: config['outputEvents'] ?? [],
      innerEvents: retaggedLinks(config.innerEvents ?? [], retag),
      events: [...own, ...retaggedLinks(config.events, retag)],
      children: config.children.map((child) => copyBlock(child, block.id, retag)),
    });
    for (const { block: inner } of walkTree(block).slice(1)) {
      this.#tags.add(inner.tag);
      this.#links.push(...inner.events);
    }
    return [...pending.within, key];
  }

  #missingMessage(block: BlockSource): string {
    const { messageId, hash } = referenceOf(block);
    const unreachable = [
      ...new Set(this.#links.filter(({ source }) => source === block.tag).map(({ target }) => target)),
    ];
    const consequence =
      unreachable.length === 0
        ? 'it does nothing'
        : `what comes to it goes no further, to ${unreachable.map((tag) => `"${tag}"`).join(', ')}`;
    return `The tool of "${block.tag}" is not here (message ${messageId || '?'}, hash ${hash || '?'}): ${consequence}.`;
  }

  #rejectionReason(block: BlockSource, config: BlockSource, key: string, { within, level }: Pending): string | null {
    const inner = walkTree(config).slice(1);
    const retag = retagFor(config.tag, block.tag);
    const takenTag = inner.find(({ block: each }) => each.tag !== '' && this.#tags.has(retag(each.tag)));
    if (within.includes(key)) return `The tool of "${block.tag}" contains itself; it is left out there.`;
    if (takenTag !== undefined) {
      return `The tool of "${block.tag}" has a block whose tag is taken in the policy, "${retag(takenTag.block.tag)}"; it is left out.`;
    }
    const depth = level + Math.max(0, ...inner.map(levelOf));
    this.#blocks += inner.length;
    if (this.#blocks <= this.limits.blocks && depth <= this.limits.depth) return null;
    this.#blocks -= inner.length;
    return `With the tool of "${block.tag}" the policy has more than ${this.limits.blocks} blocks or ${this.limits.depth} levels; it is left out.`;
  }

  #report(position: BlockPosition, message: string, missing: boolean): void {
    const { id, tag } = position.block;
    this.#findings.push({
      severity: missing ? 'warning' : 'error',
      code: missing ? 'TOOL_MISSING' : 'TOOL_UNFIT',
      message,
      path: pathOf(position),
      block: id,
      ...(tag === '' ? {} : { tag }),
    });
  }
}

/** Levels below the root of the tool. */
function levelOf(position: BlockPosition): number {
  let level = 0;
  for (let at = position; at.parent !== null; at = at.parent) level += 1;
  return level;
}

/** The block and its descendants, with their tags and ids within the policy. */
function copyBlock(block: BlockSource, within: string, retag: (tag: string) => string): BlockSource {
  const copies = new Map<BlockSource, BlockSource>();
  for (const { block: each, parent } of walkTree(block)) {
    const copy = { ...retagged(each, retag), id: derivedUuid(within, each.id), children: [] as BlockSource[] };
    copies.set(each, copy);
    if (parent !== null) copies.get(parent.block)?.children.push(copy);
  }
  return copies.get(block) ?? block;
}

/** A version 8 UUID (RFC 9562) derived from both texts only. */
function derivedUuid(within: string, id: string): string {
  const bytes = createHash('sha256').update(within).update('\0').update(id).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

type Retag = (tag: string) => string;

/** @param own the tag of the root in the tool's file. @param block the tag of the block in the policy. */
const retagFor =
  (own: string, block: string): Retag =>
  (tag) =>
    tag === '' ? '' : tag === own ? block : `${block}:${tag}`;

/** The block with all tags renamed: its own, and those in its links and options. */
function retagged(block: BlockSource, retag: Retag): BlockSource {
  const { finalBlocks, errorFallbackTag, innerEvents } = block;
  return {
    ...block,
    tag: retag(block.tag),
    events: retaggedLinks(block.events, retag),
    dependencies: block.dependencies.map(retag),
    uiMetaData: withColumns(block.uiMetaData, retag),
    ...(innerEvents && { innerEvents: retaggedLinks(innerEvents, retag) }),
    ...(finalBlocks !== undefined && { finalBlocks: retaggedValue(finalBlocks, retag) }),
    ...(errorFallbackTag !== undefined && { errorFallbackTag: retaggedValue(errorFallbackTag, retag) }),
  };
}

const retaggedLinks = (links: readonly EventSource[], retag: Retag): EventSource[] =>
  links.map((link) => ({ ...link, source: retag(link.source), target: retag(link.target) }));

const columnMembers = ['bindGroup', 'bindBlock', 'bindBlocks'];

function withColumns(uiMetaData: Record<string, unknown>, retag: Retag): Record<string, unknown> {
  const { fields } = uiMetaData;
  if (!Array.isArray(fields)) return uiMetaData;
  const columns = fields.map((column: unknown) => {
    if (!isObject(column)) return column;
    const bound = columnMembers.filter((member) => member in column);
    return { ...column, ...Object.fromEntries(bound.map((member) => [member, retaggedValue(column[member], retag)])) };
  });
  return { ...uiMetaData, fields: columns };
}

const retaggedValue = (value: unknown, retag: Retag): unknown =>
  Array.isArray(value)
    ? value.map((each: unknown) => retaggedValue(each, retag))
    : typeof value === 'string'
      ? retag(value)
      : value;

const isTool = ({ blockType }: BlockSource): boolean => blockType === 'tool';

const referenceOf = ({ messageId, hash }: BlockSource): ToolReference => ({
  messageId: typeof messageId === 'string' ? messageId : '',
  hash: typeof hash === 'string' ? hash : '',
});

/** In tree order, excluding the root. */
export const toolReferences = (config: BlockSource): ToolReference[] =>
  walkTree(config)
    .slice(1)
    .flatMap(({ block }) => (isTool(block) ? referenceOf(block) : []));

/** A copy that names tools by other messages: `messageIds` by `toolKey`. */
export function withToolsRenamed(config: BlockSource, messageIds: ReadonlyMap<string, string>): BlockSource {
  const copy = structuredClone(config);
  for (const { block } of walkTree(copy).slice(1)) {
    const messageId = isTool(block) ? messageIds.get(toolKey(referenceOf(block))) : undefined;
    if (messageId !== undefined) block['messageId'] = messageId;
  }
  return copy;
}
