/** One open page of the reference's web client. */
import type { WebSocket } from 'ws';

/** Send buffer limit in bytes; slower clients are disconnected. */
const UNREAD = 1024 * 1024;

export interface LoggedIn {
  readonly accountId: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export class Connection {
  /** `null` before the login, and after a logout. */
  session: LoggedIn | null = null;
  /** Time of the client's last message, in milliseconds since 1970. */
  heardAt: number;
  /** Policies with an update in progress. */
  readonly updating = new Set<string>();
  /** Cancels the pending check of its session. */
  cancelCheck: () => void = () => undefined;
  readonly #followed = new Map<string, AbortController>();

  constructor(
    readonly socket: WebSocket,
    now: number,
    private readonly maxPolicies: number,
  ) {
    this.heardAt = now;
  }

  /** The abort signal for following a policy; `undefined` if already followed. Drops the policy opened first. */
  follow(policyId: string): AbortSignal | undefined {
    if (this.#followed.has(policyId)) return undefined;
    const [oldest] = this.#followed.keys();
    if (oldest !== undefined && this.#followed.size >= this.maxPolicies) this.unfollow(oldest);
    const end = new AbortController();
    this.#followed.set(policyId, end);
    return end.signal;
  }

  unfollow(policyId: string): void {
    this.#followed.get(policyId)?.abort();
    this.#followed.delete(policyId);
  }

  /** On login, renewal or logout. What was followed on behalf of another account is followed no longer. */
  become(session: LoggedIn | null): void {
    if (session?.accountId !== this.session?.accountId)
      for (const policyId of [...this.#followed.keys()]) this.unfollow(policyId);
    this.session = session;
  }

  /** The account that is logged in now; `null` while a token that expired has not been renewed. */
  accountAt(now: number): string | null {
    return this.session === null || this.session.expiresAt <= now ? null : this.session.accountId;
  }

  send(type: string, data: unknown): void {
    this.sendText(JSON.stringify({ type, data }));
  }

  sendText(text: string): void {
    if (this.socket.readyState !== this.socket.OPEN) return;
    if (this.socket.bufferedAmount > UNREAD) this.socket.terminate();
    else this.socket.send(text);
  }
}
