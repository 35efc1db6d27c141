/** What waits: in this process, and in the store. */

export interface Backlog {
  /** Units of work and tasks of this process that have not started, and lanes that are in use. */
  readonly units: { readonly waiting: number; readonly lanes: number };
  /** Messages for other instances that were not sent. Ages are in milliseconds, 0 where nothing waits. */
  readonly outbox: { readonly messages: number; readonly oldestMs: number };
  /** Effects that the external ledger does not have. */
  readonly settlements: number;
  /** Requests of other instances that nobody has decided. */
  readonly requests: { readonly open: number; readonly oldestMs: number };
  /** How long the first timer has been due. */
  readonly timers: { readonly lateMs: number };
  /** Events that webhooks gave up. */
  readonly deadLetters: number;
  /** Work that fails and is retried: for how many policies, requests or messages. */
  readonly stuck: Readonly<Record<string, number>>;
  readonly isLinkConnected: boolean;
}
