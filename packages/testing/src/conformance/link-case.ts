/** A case of the link suite: one guarantee of the port with its check. */
import type { Json, Link, LinkMessage } from '@blockwork/core/adapter';

export interface LinkCase {
  /** A sentence about the link; also the name to skip it by. */
  readonly promise: string;
  /** `connect` opens another connection to the same link; `topic` returns a unique name. */
  readonly check: (link: Link, tools: LinkCaseTools) => Promise<void>;
}

export interface LinkCaseTools {
  readonly connect: () => Promise<Link>;
  readonly topic: () => string;
  /** Makes the link lose all its messages; skips the case if that is not possible. */
  readonly wipe: () => Promise<void>;
}

export const promise = (sentence: string, check: LinkCase['check']): LinkCase => ({ promise: sentence, check });

export interface Collected {
  readonly messages: LinkMessage[];
  readonly receive: (message: LinkMessage) => Promise<void>;
  /** Distinct bodies in the order of message ids. */
  readonly bodies: () => Json[];
}

/** A receiver that collects messages. */
export function collecting(): Collected {
  const messages: LinkMessage[] = [];
  return {
    messages,
    receive: (message) => {
      messages.push(message);
      return Promise.resolve();
    },
    bodies: () => {
      const byId = new Map(messages.map(({ messageId, body }) => [messageId, body]));
      return [...byId.keys()].sort(byMoment).map((id) => byId.get(id) ?? null);
    },
  };
}

/** Order of ids `<seconds>.<nanoseconds>`, implemented independently of the engine. */
export function byMoment(a: string, b: string): number {
  const [inA, inB] = [a, b].map((id) => BigInt(id.replace('.', '')));
  return (inA ?? 0n) < (inB ?? 0n) ? -1 : (inA ?? 0n) > (inB ?? 0n) ? 1 : 0;
}
