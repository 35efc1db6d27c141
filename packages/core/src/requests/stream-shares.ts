/** Which streams are shared with which peers: only those that the program names are sent or accepted. */
import { checkOptions, invalidOption, valueTypes } from '../options/index.js';
import { isObject, streamName } from '../records/index.js';

/** Ids of peers, by stream. */
export type StreamOptions = Readonly<Record<string, readonly string[]>>;

const peerNames = valueTypes.list(valueTypes.text);

export class StreamShares {
  readonly #peers: ReadonlyMap<string, readonly string[]>;

  /** Throws `OPTION_INVALID`. */
  constructor(options: StreamOptions = {}) {
    if (!isObject(options)) throw invalidOption('streams', 'it must be an object of lists of peers by stream');
    for (const [stream, peers] of Object.entries(options)) {
      const parsed = streamName.safeParse(stream);
      if (!parsed.success)
        throw invalidOption(`streams.${stream}`, 'the name of a stream is 1 to 100 letters, digits, ".", "_" or "-"');
      checkOptions({ [stream]: peers }, { [stream]: peerNames }, 'streams.');
    }
    this.#peers = new Map(Object.entries(options).map(([stream, peers]) => [stream, [...peers]]));
  }

  peersOf(stream: string): readonly string[] {
    return this.#peers.get(stream) ?? [];
  }
}
