/** A TCP proxy in front of the database that fails as networks do: it delays, cuts, and loses answers. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { randomNumbers } from '../random-numbers.mjs';

/**
 * What is done with bytes from the client.
 * - `pass`: they arrive.
 * - `cut before`: the connection breaks, and they do not arrive.
 * - `cut`: they arrive, and the connection breaks at once.
 * - `cut after`: they arrive; the connection breaks when the server answers, and the answer is lost.
 * - `hold`: the connection breaks for the client; they arrive when `release` is called.
 */
export type Fate = 'pass' | 'cut before' | 'cut' | 'cut after' | 'hold';

export interface ProxyBehaviour {
  /** Asked for each piece that a client sends. */
  readonly fate: (bytes: Buffer) => Fate;
  /** Milliseconds that a piece takes on its way, in either direction; none when absent. */
  readonly delay?: () => number;
  /** What arrives instead of what a client sends. */
  readonly rewrite?: (bytes: Buffer) => Buffer;
}

export class Proxy {
  /** `host:port` */
  readonly host: string;
  /** Resolves when a connection was broken. */
  readonly cut: Promise<void>;
  /** Resolves when the database has answered something that was held. */
  readonly answered: Promise<void>;
  /** How many connections were broken. */
  cuts = 0;
  readonly #server: Server;
  readonly #target: URL;
  readonly #behaviour: ProxyBehaviour;
  readonly #sockets = new Set<Socket>();
  readonly #held: (() => void)[] = [];
  #isAway = false;
  #hasCut = (): void => undefined;
  #hasAnswered = (): void => undefined;

  private constructor(server: Server, target: URL, behaviour: ProxyBehaviour) {
    this.#server = server;
    this.#target = target;
    this.#behaviour = behaviour;
    this.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.cut = new Promise((resolve) => (this.#hasCut = resolve));
    this.answered = new Promise((resolve) => (this.#hasAnswered = resolve));
    server.on('connection', (client) => this.#serve(client));
  }

  static async open(address: string, behaviour: ProxyBehaviour): Promise<Proxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Proxy(server, new URL(address), behaviour);
  }

  /** Breaks all connections but those that hold something; new ones break at once until it is `false` again. */
  set isAway(isAway: boolean) {
    this.#isAway = isAway;
    if (isAway) for (const socket of this.#sockets) socket.destroy();
  }

  /** Lets everything through that was held. */
  release(): void {
    for (const deliver of this.#held.splice(0)) deliver();
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #serve(client: Socket): void {
    this.#keep(client);
    if (this.#isAway) {
      client.destroy();
      return;
    }
    const server = connect(Number(this.#target.port || 5432), this.#target.hostname);
    this.#keep(server);
    let losesAnswers = false;
    let isHeld = false;
    const cut = (): void => {
      client.destroy();
      server.destroy();
      this.#broken();
    };
    this.#each(client, (bytes) => {
      const fate = isHeld ? 'hold' : this.#behaviour.fate(bytes);
      if (fate === 'cut before') cut();
      else if (fate === 'hold') {
        isHeld = true;
        this.#hold(client, server, bytes);
      } else {
        server.write(this.#behaviour.rewrite?.(bytes) ?? bytes);
        losesAnswers ||= fate === 'cut after';
        if (fate === 'cut') cut();
      }
    });
    this.#each(server, (bytes) => {
      if (isHeld) this.#hasAnswered();
      else if (losesAnswers) cut();
      else client.write(bytes);
    });
    server.on('close', () => client.destroy());
    client.on('close', () => {
      if (!isHeld) server.destroy();
    });
  }

  #hold(client: Socket, server: Socket, bytes: Buffer): void {
    this.#sockets.delete(server);
    this.#held.push(() => {
      this.#sockets.add(server);
      server.write(bytes);
    });
    client.destroy();
    this.#broken();
  }

  /** Each piece after the one before it, and after its delay. */
  #each(from: Socket, deliver: (bytes: Buffer) => void): void {
    const { delay } = this.#behaviour;
    let last = Promise.resolve();
    from.on('data', (bytes: Buffer) => {
      if (delay === undefined) deliver(bytes);
      else {
        const ms = delay();
        last = last.then(async () => {
          if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
          deliver(bytes);
        });
      }
    });
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#sockets.delete(socket));
  }

  #broken(): void {
    this.cuts += 1;
    this.#hasCut();
  }
}

/** A connection lives for a few pieces, then breaks in one way or another; the same seed makes the same choices. */
export const hostile = (seed: number): ProxyBehaviour => breaking(seed, 5, 60);

/** As `hostile`, for the traffic of several nodes: between two breaks they get something done. */
export const rarelyHostile = (seed: number): ProxyBehaviour => breaking(seed, 100, 400);

/** `atLeast` pieces, and up to `more`, from one break to the next. */
function breaking(seed: number, atLeast: number, more: number): ProxyBehaviour {
  const random = randomNumbers(seed);
  const fates: readonly Fate[] = ['cut before', 'cut', 'cut after'];
  let left = 20;
  return {
    fate: () => {
      left -= 1;
      if (left > 0) return 'pass';
      left = atLeast + Math.floor(random() * more);
      return fates[Math.floor(random() * fates.length)] ?? 'cut';
    },
    delay: () => (random() < 0.1 ? 1 : 0),
  };
}
