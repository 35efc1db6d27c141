/** The streams that a global events block may use: only those declared in its options. */
import {
  finding,
  streamDocumentTypes,
  streamName,
  tolerant,
  type BlockNode,
  type Finding,
  type RunContext,
} from '@blockwork/core/block';
import { z } from 'zod';

const { flag, listOf, text } = tolerant;

/** Maximum number of streams per block. */
const STREAMS_AT_MOST = 50;

export const isOn = z
  .union([z.boolean(), z.enum(['true', 'false', '']), z.null()])
  .optional()
  .transform((value) => value !== false && value !== 'false');

/** `any` where none is given. */
export const documentType = (fallback: (typeof streamDocumentTypes)[number]) =>
  text.transform((type) => type || fallback).pipe(z.enum(streamDocumentTypes));

export const declaredStream = z.strictObject({ topicId: text, active: isOn });

export const withNextButton = { showNextButton: flag };

export interface DeclaredStream {
  readonly topicId: string;
  readonly active: boolean;
}

/** Findings about the streams that a block declares under `option`. */
export function streamFindings(node: BlockNode, option: string, streams: readonly DeclaredStream[]): Finding[] {
  const about = (path: string, message: string): Finding => finding(node, { path, message });
  if (streams.length === 0) return [about(`/${option}`, `"${node.tag}" declares no stream, so it does nothing.`)];
  if (streams.length > STREAMS_AT_MOST) {
    return [about(`/${option}`, `"${node.tag}" declares more than ${String(STREAMS_AT_MOST)} streams.`)];
  }
  const names = streams.map(({ topicId }) => topicId);
  return streams.flatMap(({ topicId }, at) => {
    const path = `/${option}/${String(at)}/topicId`;
    if (!streamName.safeParse(topicId).success) return [about(path, `"${topicId}" cannot be the id of a stream.`)];
    return names.indexOf(topicId) < at ? [about(path, `The stream "${topicId}" is declared twice.`)] : [];
  });
}

const operations = ['Update', 'CreateTopic', 'AddTopic', 'Delete', 'Next'] as const;

/** What a user changes of a stream: whether it is followed, and what else the block lets them choose. */
export const streamsInput = <Change extends z.ZodType>(change: Change) =>
  z.object({
    operation: z.enum(operations),
    value: z
      .object({ streams: listOf(change).pipe(z.array(z.custom<z.output<Change>>()).max(STREAMS_AT_MOST)) })
      .nullish(),
    streams: z.array(change).max(STREAMS_AT_MOST).nullish(),
  });

export function refuse(ctx: RunContext, reason: string, path = '/operation'): never {
  return ctx.fail('INPUT_INVALID', {
    facts: { reason: `Block "${ctx.block.tag}" cannot do this: ${reason}.` },
    details: [{ path, message: 'cannot be used' }],
  });
}

/** Only the policy declares streams. */
const refuseOtherStreams = (ctx: RunContext): never =>
  refuse(ctx, 'the streams are those that the policy declares; they can be switched on and off, and no others added');

interface StreamsInput<Change> {
  readonly operation: (typeof operations)[number];
  readonly value?: { readonly streams: readonly Change[] } | null | undefined;
  readonly streams?: readonly Change[] | null | undefined;
}

/** What a user asks for: `choose` gets the changes of streams, in either place where clients put them. */
export function carryOut<Change, Result>(
  ctx: RunContext,
  { operation, value, streams }: StreamsInput<Change>,
  does: { readonly choose: (changes: readonly Change[]) => Result; readonly next: () => Result },
): Result {
  if (operation === 'Update') return does.choose(value?.streams ?? streams ?? []);
  return operation === 'Next' ? does.next() : refuseOtherStreams(ctx);
}

/** Throws for a stream that the block does not declare. */
export function assertDeclared(ctx: RunContext, streams: readonly DeclaredStream[], topicId: string): void {
  if (!streams.some((stream) => stream.topicId === topicId)) {
    refuse(ctx, `the policy declares no stream "${topicId}"`, '/value/streams');
  }
}
