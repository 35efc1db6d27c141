/** The pending work of a block as text. */
import { texts } from '../../texts.js';
import type { WaitingAtBlock } from './waiting.js';

/** The counts as text, with work for users first. */
export const waitingTexts = (counts: Partial<WaitingAtBlock>): { kind: keyof typeof words; text: string }[] =>
  kinds.flatMap((kind) => {
    const count = counts[kind] ?? 0;
    return count === 0 ? [] : [{ kind, text: words[kind](count) }];
  });

const words = texts.policy.waiting;
const kinds = ['retries', 'decisions', 'requests', 'gathered', 'documents'] as const;
