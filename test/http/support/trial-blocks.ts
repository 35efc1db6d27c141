/** Block types for the trial policy, registered as anybody's are. */
import { BlockworkError } from '@blockwork/core';
import type { Json } from '@blockwork/core';
import { defineBlock, type BlockType } from '@blockwork/core/block';
import { EventEmitter, once } from 'node:events';

const named = (type: string) => ({ type, title: type, description: '', kind: 'interface' }) as const;

/** Reads of `testSlow` wait until they are let go. */
export interface Gate {
  /** Resolves as soon as a read waits. */
  readonly reached: () => Promise<void>;
  readonly open: () => void;
}

export function trialBlocks(): { blocks: BlockType[]; gate: Gate } {
  let openers: (() => void)[] = [];
  const reads = new EventEmitter();
  const gate: Gate = {
    reached: async () => {
      if (openers.length === 0) await once(reads, 'waiting');
    },
    open: () => {
      for (const go of openers) go();
      openers = [];
    },
  };
  const blocks: BlockType[] = [
    defineBlock({ ...named('testSink'), receive: () => undefined }),
    defineBlock({ ...named('testMachine') }),
    defineBlock({ ...named('testClock'), timetable: () => ({ next: (after) => after + 86_400_000 }) }),
    defineBlock({ ...named('testOutside'), external: () => undefined }),
    defineBlock({
      ...named('testEcho'),
      read: (ctx) => ({ query: { ...ctx.query } }),
      receive: (_, input) => input as Json,
    }),
    defineBlock({
      ...named('testForm'),
      read: () => ({ schema: { fields: [{ name: 'site', description: 'Site', required: true, type: 'string' }] } }),
      receive: (_, input) => input as Json,
    }),
    defineBlock({
      ...named('testFailing'),
      read: () => Promise.reject(new Error('SECRET')),
      receive: () => Promise.reject(new BlockworkError('STORE_UNAVAILABLE', { facts: { reason: 'SECRET' } })),
    }),
    defineBlock({
      ...named('testSlow'),
      read: () =>
        new Promise((resolve) => {
          openers.push(() => resolve({ slow: true }));
          reads.emit('waiting');
        }),
    }),
  ];
  return { blocks, gate };
}
