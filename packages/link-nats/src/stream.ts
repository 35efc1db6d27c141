/** Creates the streams of a link, reads the state of the main one, and changes the base of its ids. */
import { DiscardPolicy, JetStreamApiError, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import type { JetStreamManager, StreamConfig, StreamInfo } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { idAt, momentOf, nanosecondsOf } from './message-numbers.js';
import type { ResolvedOptions } from './options.js';

export interface StreamState {
  /** The base of the ids, in nanoseconds since 1970. */
  readonly base: bigint;
  /** The sequence number of the last message. */
  readonly last: number;
}

/** The server's error code for a missing stream. */
const STREAM_UNKNOWN = 10059;

const rebased = /ids count from (\d+\.\d{9})$/;

/** Creates the stream if it is missing. */
export async function streamState(manager: JetStreamManager, options: ResolvedOptions): Promise<StreamState> {
  const { created, config, state } = await ensureStream(manager, mainStream(options));
  const [, from] = rebased.exec(config.description ?? '') ?? [];
  return { base: from === undefined ? nanosecondsOf(created) : momentOf(from), last: state.last_seq };
}

/**
 * Changes the base of the ids for all instances. Stored in the description, the one field of a stream that servers of
 * all versions keep for users.
 */
export async function rebase(manager: JetStreamManager, { stream }: ResolvedOptions, base: bigint): Promise<void> {
  await manager.streams.update(stream, { description: `Blockwork messages; ids count from ${idAt(base)}` });
}

export async function ensureStream(
  manager: JetStreamManager,
  wanted: Partial<StreamConfig> & { readonly name: string },
): Promise<StreamInfo> {
  try {
    return await manager.streams.info(wanted.name);
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.code !== STREAM_UNKNOWN) throw error;
  }
  await manager.streams.add(wanted);
  // Read back, in case another instance created it first.
  return manager.streams.info(wanted.name);
}

function mainStream(options: ResolvedOptions): Partial<StreamConfig> & { readonly name: string } {
  const { stream, keepMs, keepBytes, rememberKeysMs } = options;
  return {
    ...commonConfig(options),
    name: stream,
    subjects: [`${stream}.>`],
    max_age: nanos(keepMs),
    ...(keepBytes > 0 && { max_bytes: keepBytes }),
    duplicate_window: nanos(keepMs === 0 ? rememberKeysMs : Math.min(keepMs, rememberKeysMs)),
  };
}

/** The dead-letter stream, for unreadable messages; the oldest make room for new ones. */
export function deadLetterStream(options: ResolvedOptions): Partial<StreamConfig> & { readonly name: string } {
  const name = `${options.stream}-dead-letters`;
  return { ...commonConfig(options), name, subjects: [`${name}.>`], max_bytes: options.deadLetterBytes };
}

const commonConfig = ({ replicas }: ResolvedOptions) => ({
  retention: RetentionPolicy.Limits,
  storage: StorageType.File,
  discard: DiscardPolicy.Old,
  num_replicas: replicas,
});
