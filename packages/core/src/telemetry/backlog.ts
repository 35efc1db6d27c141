/** The backlog: pending work in this process and in the store. */

export interface Backlog {
  /** Units of work and tasks of this process that have not started, and lanes that are in use. */
  readonly units: { readonly waiting: number; readonly lanes: number };
  /** Unsent messages to other instances. Ages are in milliseconds, 0 if there are none. */
  readonly outbox: { readonly messages: number; readonly oldestMs: number };
  /** Effects not yet settled on the external ledger. */
  readonly settlements: number;
  /** Undecided requests of other instances. */
  readonly requests: { readonly open: number; readonly oldestMs: number };
  /** How long the earliest timer has been overdue. */
  readonly timers: { readonly lateMs: number };
  /** Dead letters of webhooks. */
  readonly deadLetters: number;
  /** Work that fails and is retried: for how many policies, requests or messages. */
  readonly stuck: Readonly<Record<string, number>>;
  readonly isLinkConnected: boolean;
}
