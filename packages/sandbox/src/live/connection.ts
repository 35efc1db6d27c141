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
  /** `null` before the login, and after the token has expired. */
  session: LoggedIn | null = null;
  /** Time of the client's last message, in milliseconds since 1970. */
  heardAt: number;
  /** Policies with an update in progress. */
  readonly updating = new Set<string>();
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

  /** On login or logout: stops following policies on behalf of the previous account. */
  become(session: LoggedIn | null): void {
    for (const policyId of [...this.#followed.keys()]) this.unfollow(policyId);
    this.session = session;
  }

  /** The account that is logged in now. */
  accountAt(now: number): string | null {
    if (this.session !== null && this.session.expiresAt <= now) this.become(null);
    return this.session?.accountId ?? null;
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
