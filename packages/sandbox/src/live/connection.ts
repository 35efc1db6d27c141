/** One open page of the reference's web client. */
import type { WebSocket } from 'ws';

/** Bytes that may wait for a client; one that reads slower is cut off. */
const UNREAD = 1024 * 1024;

export interface LoggedIn {
  readonly accountId: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export class Connection {
  /** `null` before the login, and after the token has expired. */
  session: LoggedIn | null = null;
  /** When something came from the client last, in milliseconds since 1970. */
  heardAt: number;
  /** Policies that an update is being made for. */
  readonly updating = new Set<string>();
  readonly #followed = new Map<string, AbortController>();

  constructor(
    readonly socket: WebSocket,
    now: number,
    private readonly maxPolicies: number,
  ) {
    this.heardAt = now;
  }

  /** The signal to follow a policy with; `undefined` if it is followed already. The policy that was opened first gives way. */
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

  /** Another login, or none: whatever was followed was followed for somebody else. */
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
