/** The pending work of a block, as counted by the server. */
import type { PolicyClient } from '@blockwork/client';
import { texts } from '../../texts.js';

export type PendingWorkAtBlock =
  ReturnType<PolicyClient['pendingWork']> extends AsyncGenerator<infer Item> ? Item : never;
/** By UUID. */
export type PendingWork = ReadonlyMap<string, PendingWorkAtBlock>;

/** Number of items pending at a block for users or the engine; its documents do not count. */
export const waitsFor = ({
  decisions = 0,
  aggregation = 0,
  requests = 0,
  retries = 0,
}: Partial<PendingWorkAtBlock>): number => decisions + aggregation + requests + retries;

/** The counts as text, with work for users first. */
export const pendingWorkTexts = (counts: Partial<PendingWorkAtBlock>): { kind: keyof typeof words; text: string }[] =>
  kinds.flatMap((kind) => {
    const count = counts[kind] ?? 0;
    return count === 0 ? [] : [{ kind, text: words[kind](count) }];
  });

const words = texts.policy.pendingWork;
const kinds = ['retries', 'decisions', 'requests', 'aggregation', 'documents'] as const;
