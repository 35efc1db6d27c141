/** `node:diagnostics_channel` for a page: channels by name, and tracing channels of five of them. */

type Listener = (message: unknown, name: string) => void;

class Channel {
  readonly listeners = new Set<Listener>();

  constructor(private readonly name: string) {}

  get hasSubscribers(): boolean {
    return this.listeners.size > 0;
  }

  publish(message: unknown): void {
    for (const listener of this.listeners) listener(message, this.name);
  }

  /** A page has no asynchronous stores. */
  runStores<T>(message: unknown, work: () => T): T {
    this.publish(message);
    return work();
  }
}

export type TracingChannel<_Store, _Message> = ReturnType<typeof tracingChannel>;

const channels = new Map<string, Channel>();

export function channel(name: string): Channel {
  let named = channels.get(name);
  if (named === undefined) channels.set(name, (named = new Channel(name)));
  return named;
}

export const subscribe = (name: string, listener: Listener): void => void channel(name).listeners.add(listener);

export const unsubscribe = (name: string, listener: Listener): boolean => channel(name).listeners.delete(listener);

export const tracingChannel = (name: string) => ({
  start: channel(`tracing:${name}:start`),
  end: channel(`tracing:${name}:end`),
  asyncStart: channel(`tracing:${name}:asyncStart`),
  asyncEnd: channel(`tracing:${name}:asyncEnd`),
  error: channel(`tracing:${name}:error`),
});
