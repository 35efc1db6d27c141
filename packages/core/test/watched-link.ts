/** A link that knows whether its subscribers have received everything, so that a test can wait until nothing more happens. */
import type { Json, MemoryLinkHub, PolicyEngine } from '@blockwork/core';
import type { Link, LinkMessage, LinkPosition, LinkStatus, LinkSubscription } from '@blockwork/core/adapter';

export class WatchedLink implements Link {
  readonly #subscriptions = new Map<LinkSubscription, string>();
  #isOpen = true;

  constructor(
    private readonly link: Link,
    private readonly hub: MemoryLinkHub,
  ) {}

  publish(topic: string, body: Json, idempotencyKey: string): Promise<string> {
    return this.link.publish(topic, body, idempotencyKey);
  }

  async subscribe(
    topic: string,
    receive: (message: LinkMessage) => Promise<void>,
    from?: LinkPosition,
  ): Promise<LinkSubscription> {
    const subscription = await this.link.subscribe(topic, receive, from);
    this.#subscriptions.set(subscription, topic);
    return {
      get settled() {
        return subscription.settled;
      },
      stop: async () => {
        this.#subscriptions.delete(subscription);
        await subscription.stop();
      },
    };
  }

  onLoss(listener: (reason: string) => void): () => void {
    return this.link.onLoss(listener);
  }

  status(): LinkStatus {
    return this.link.status();
  }

  close(): Promise<void> {
    this.#isOpen = false;
    this.#subscriptions.clear();
    return this.link.close();
  }

  /** How far each subscription is; `null` while one has something to receive, or there is none yet. */
  get position(): string | null {
    const positions = [...this.#subscriptions].map(([{ settled }, topic]) =>
      settled === this.hub.last(topic) ? `${topic} ${String(settled)}` : null,
    );
    return positions.includes(null) || (this.#isOpen && positions.length === 0) ? null : positions.join();
  }
}

/** Resolves when everything published is received, and the engines have acted on it. */
export async function quiet(engines: readonly PolicyEngine[], links: readonly WatchedLink[]): Promise<void> {
  const look = async (): Promise<string | null> => {
    for (const engine of engines) await engine.program.requests.idle();
    await new Promise((resolve) => setImmediate(resolve));
    const positions = links.map(({ position }) => position);
    return positions.includes(null) ? null : positions.join();
  };
  for (let [before, now] = [null as string | null, await look()]; now === null || now !== before;) {
    [before, now] = [now, await look()];
  }
}
