/** The pending work of a block, as counted by the server. */
import type { PolicyClient } from '@blockwork/client';
import { texts } from '../../texts.js';

export type WaitingAtBlock = ReturnType<PolicyClient['waiting']> extends AsyncGenerator<infer Item> ? Item : never;
/** By UUID. */
export type Waiting = ReadonlyMap<string, WaitingAtBlock>;

/** Number of items pending at a block for users or the engine; its documents do not count. */
export const waitsFor = ({ decisions = 0, gathered = 0, requests = 0, retries = 0 }: Partial<WaitingAtBlock>): number =>
  decisions + gathered + requests + retries;

/** The counts as text, with work for users first. */
export const waitingTexts = (counts: Partial<WaitingAtBlock>): { kind: keyof typeof words; text: string }[] =>
  kinds.flatMap((kind) => {
    const count = counts[kind] ?? 0;
    return count === 0 ? [] : [{ kind, text: words[kind](count) }];
  });

const words = texts.policy.waiting;
const kinds = ['retries', 'decisions', 'requests', 'gathered', 'documents'] as const;
