/** Renames the tags of a tool's blocks: in a policy they are prefixed with the tag of the referring block. */
import { isObject, type BlockSource, type EventSource } from '../../records/index.js';

export type Retag = (tag: string) => string;

/** @param own the tag of the root in the tool's file. @param block the tag of the block in the policy. */
export const retagFor =
  (own: string, block: string): Retag =>
  (tag) =>
    tag === '' ? '' : tag === own ? block : `${block}:${tag}`;

/** The block with all tags renamed: its own, and those in its links and options. */
export function retagged(block: BlockSource, retag: Retag): BlockSource {
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

export const retaggedLinks = (links: readonly EventSource[], retag: Retag): EventSource[] =>
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
