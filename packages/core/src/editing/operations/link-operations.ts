/** Operations on the links between blocks. */
import { cloneJson, type EventSource } from '../../records/index.js';
import type { Applied, OperationOf } from './applied.js';
import type { EditDraft } from './edit-draft.js';
import { blockPlace, linkPlace, tagPlace } from './places.js';

export function connect(
  draft: EditDraft,
  { op, block: reference, link: newLink, index }: OperationOf<'connect'>,
): Applied {
  const { block } = draft.block(reference);
  const link = cloneJson({
    ...newLink,
    source: newLink.source ?? block.tag,
    actor: newLink.actor ?? null,
    disabled: newLink.disabled ?? false,
  }) satisfies EventSource;
  const at = Math.min(index ?? block.events.length, block.events.length);
  block.events.splice(at, 0, link);
  const { source, target, output, input } = link;
  return {
    operation: { op, block: block.id, link: cloneJson(link), index: at },
    inverse: { op: 'disconnect', block: block.id, link: { source, target, output, input }, index: at },
    writes: [linkPlace(block.id, link)],
    reads: [blockPlace(block.id), tagPlace(source), tagPlace(target)],
  };
}

export function disconnect(
  draft: EditDraft,
  { op, block: reference, link: oldLink, index }: OperationOf<'disconnect'>,
): Applied {
  const { block } = draft.block(reference);
  const { source = block.tag, target, output, input } = oldLink;
  const isSame = (link: EventSource | undefined): boolean =>
    link?.source === source && link.target === target && link.output === output && link.input === input;
  const at = index !== undefined && isSame(block.events[index]) ? index : block.events.findIndex(isSame);
  const link = block.events[at];
  if (link === undefined) {
    return draft.refuse('/link', `"${block.tag}" has no link from ${output} of "${source}" to ${input} of "${target}"`);
  }
  block.events.splice(at, 1);
  return {
    operation: { op, block: block.id, link: { source, target, output, input }, index: at },
    inverse: { op: 'connect', block: block.id, link: { ...link }, index: at },
    writes: [linkPlace(block.id, link)],
    reads: [blockPlace(block.id), tagPlace(source), tagPlace(target)],
  };
}
