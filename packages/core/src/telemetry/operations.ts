/** The operations that telemetry reports: ids, counts and outcomes; never documents, tokens, secrets or users. */
import type { SlowestUnits } from './slowest-units.js';

/** The engine that does the work. Each engine has its own object, to distinguish several in one process. */
export interface TelemetrySource {
  /** The instance id; `null` if it has none. */
  readonly instance: string | null;
  /** The name of this process for operators; may be empty. */
  readonly node: string;
  /** Receives each unit of work of the engine. */
  readonly slowestUnits?: SlowestUnits;
}

/** The source of operations outside an engine. */
export const unnamedSource: TelemetrySource = { instance: null, node: '' };

/** A piece of work. Optional members are known only when it ends. */
export interface Operation {
  readonly source: TelemetrySource;
  /**
   * W3C trace context of the work's cause; `undefined` if it has none. A subscriber of `start` may replace it: messages
   * and records of the work then carry the new one.
   */
  traceparent: string | undefined;
  outcome?: 'done' | 'failed';
  /** Why it failed: an error code, or one defined by the operation. */
  code?: string;
  /** Duration in milliseconds. */
  ms?: number;
}

/** A read of a block. */
export interface ReadOperation extends Operation {
  readonly policyId: string;
  /** The tag of the block, or its uuid until the tag is known. */
  block: string;
  blockType?: string;
  /** Whether the answer was cached from an earlier read. */
  kept?: boolean;
}

/** A unit of work that runs blocks: for a send, a timer, or a request of another instance. */
export interface SendOperation extends Operation {
  readonly cause: 'send' | 'external' | 'tick' | 'retry' | 'request';
  readonly policyId: string;
  /** The tag of the first block, or its uuid until the tag is known; several tags are separated by commas. */
  block: string;
  blockType?: string;
  /** How often the unit ran before it was committed. */
  attempts?: number;
  /** Records that it changed. */
  changes?: number;
  /** Events delivered between blocks. */
  events?: number;
}

/** A group of units of work is written to the store. Fails with `CONFLICT` if another node was faster. */
export interface CommitOperation extends Operation {
  readonly units: number;
  readonly changes: number;
  /** The trace contexts of the units that have one. */
  readonly traceparents: readonly string[];
}

/** An effect is settled on the external ledger. */
export interface SettleOperation extends Operation {
  readonly policyId: string;
  readonly effectId: string;
  effectType?: string;
}

/** A message leaves the outbox for another instance. */
export interface OutboxOperation extends Operation {
  readonly messageId: string;
  readonly topic: string;
  /** What the message is about, such as `request`. */
  readonly messageType: string;
}

/** A message of another instance is processed. `code` is the reason if it was refused. */
export interface MessageOperation extends Operation {
  readonly messageId: string;
  readonly topic: string;
  messageType?: string;
  /** The instance that sent it, once its signature was verified. */
  from?: string;
}

/** An event is posted to a webhook. `code` is `NO_ANSWER`, or `STATUS_` followed by an unsuccessful status. */
export interface WebhookOperation extends Operation {
  readonly policyId: string;
  readonly webhookId: string;
  readonly messageId: string;
  /** Its address without path and query, which may hold secrets. */
  readonly origin: string;
  status?: number;
}

/** A timer is carried out. */
export interface TimerOperation extends Operation {
  readonly policyId: string;
  readonly timerId: string;
  readonly timerType: string;
  /** Milliseconds after it was due. */
  readonly lateMs: number;
}

/** A request over HTTP is answered; a stream of events, when it begins. */
export interface HttpOperation extends Operation {
  readonly requestId: string;
  readonly method: string;
  /** The path of the route, with its parameters in braces. */
  readonly route: string;
  status?: number;
}
