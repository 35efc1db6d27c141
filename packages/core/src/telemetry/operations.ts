/** What telemetry says of each kind of work: ids, counts and outcomes; never documents, tokens, secrets or people. */
import type { SlowestUnits } from './slowest-units.js';

/** The engine that does the work. Each engine has an object of its own, so that those of one process can be told apart. */
export interface TelemetrySource {
  /** What it is called among instances; `null` without a name. */
  readonly instance: string | null;
  /** What operators call this process; empty without a name. */
  readonly node: string;
  /** Hears of each unit of work of the engine. */
  readonly slowestUnits?: SlowestUnits;
}

/** Of what was made without an engine. */
export const unnamedSource: TelemetrySource = { instance: null, node: '' };

/** A piece of work. What is optional is known only when it ends. */
export interface Operation {
  readonly source: TelemetrySource;
  /**
   * W3C trace context of what caused the work; `undefined` if nothing did, or it had none. A subscriber of `start` may put its own
   * in place: what the work sends and stores then carries that one.
   */
  traceparent: string | undefined;
  outcome?: 'done' | 'failed';
  /** Why it failed: a code of the table of errors, or what the operation says. */
  code?: string;
  /** How long it took, in milliseconds. */
  ms?: number;
}

/** A block was asked what it shows. */
export interface ReadOperation extends Operation {
  readonly policyId: string;
  /** The tag of the block, or its uuid while nothing else is known. */
  block: string;
  blockType?: string;
  /** Whether the answer was kept from an earlier read. */
  kept?: boolean;
}

/** A unit of work that runs blocks: something was sent to one, its time came, or another instance asked for it. */
export interface SendOperation extends Operation {
  readonly cause: 'send' | 'external' | 'tick' | 'retry' | 'request';
  readonly policyId: string;
  /** The tag of the first block, or its uuid while nothing else is known; several tags are divided by commas. */
  block: string;
  blockType?: string;
  /** How often the unit ran until it was committed. */
  attempts?: number;
  /** Records that it changed. */
  changes?: number;
  /** Events that went from block to block. */
  events?: number;
}

/** Units of work are written to the store, several at once. Fails with `CONFLICT` where another node was faster. */
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

/** A message of another instance is dealt with. `code` is the reason for which it was refused. */
export interface MessageOperation extends Operation {
  readonly messageId: string;
  readonly topic: string;
  messageType?: string;
  /** The instance that sent it, once its signature was verified. */
  from?: string;
}

/** An event is posted to a webhook. `code` is `NO_ANSWER`, or `STATUS_` with a status that is no success. */
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
