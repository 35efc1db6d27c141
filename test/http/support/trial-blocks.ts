/** Block types for the trial policy, registered as anybody's are. */
import { BlockworkError } from '@blockwork/core';
import type { Json } from '@blockwork/core';
import type { Block } from '@blockwork/core/block';
import { EventEmitter, once } from 'node:events';
import { z } from 'zod';

const about = (type: string) => ({ type, title: type, description: '', kind: 'interface', children: 'none' }) as const;
const options = z.object({});

/** Reads of `testSlow` wait until they are let go. */
export interface Gate {
  /** Resolves as soon as a read waits. */
  readonly reached: () => Promise<void>;
  readonly open: () => void;
}

export function trialBlocks(): { blocks: Block[]; gate: Gate } {
  let waiting: (() => void)[] = [];
  const reads = new EventEmitter();
  const gate: Gate = {
    reached: async () => {
      if (waiting.length === 0) await once(reads, 'waiting');
    },
    open: () => {
      for (const go of waiting) go();
      waiting = [];
    },
  };
  const blocks: Block[] = [
    { about: about('testSink'), options, receive: () => Promise.resolve() },
    { about: about('testMachine'), options },
    { about: about('testOutside'), options, external: () => Promise.resolve() },
    {
      about: about('testEcho'),
      options,
      read: (ctx) => Promise.resolve({ query: { ...ctx.query } }),
      receive: (_, input) => Promise.resolve(input as Json),
    },
    {
      about: about('testFailing'),
      options,
      read: () => Promise.reject(new Error('SECRET')),
      receive: () => Promise.reject(new BlockworkError('STORE_UNAVAILABLE', { facts: { reason: 'SECRET' } })),
    },
    {
      about: about('testSlow'),
      options,
      read: () =>
        new Promise((resolve) => {
          waiting.push(() => resolve({ slow: true }));
          reads.emit('waiting');
        }),
    },
  ];
  return { blocks, gate };
}
