/** Streams: events that policies announce to each other, within an instance and across instances. */
import type { BlockType } from '@blockwork/core/block';
import { globalEventsReaderBlock } from './global-events-reader.js';
import { globalEventsWriterBlock } from './global-events-writer.js';

export { globalEventsReaderBlock, globalEventsWriterBlock };

export const streamBlocks: readonly BlockType[] = [globalEventsWriterBlock, globalEventsReaderBlock];
