/** Which of the hosts of an address new connections go to: the one that was last found to be the primary. */
import type { Logger } from '@blockwork/core';
import { Client, type ClientBase, type ClientConfig } from 'pg';
import { inWords, type Host } from './address.js';
import { reasonOf } from './failures.js';

type Connected = ((error: Error) => void) | ((error: null, client: Client) => void);

export class Hosts {
  /** Connects to the host that is current when it is made. */
  readonly Client: new (config?: ClientConfig) => Client;
  readonly #hosts: readonly [Host, ...Host[]];
  readonly #logger: Logger;
  readonly #clients = new WeakMap<ClientBase, Host>();
  #at = 0;

  constructor(hosts: readonly [Host, ...Host[]], logger: Logger) {
    this.#hosts = hosts;
    this.#logger = logger;
    const register = (client: Client, host: Host): void => void this.#clients.set(client, host);
    const current = (): Host => this.#current;
    const failed = (client: Client, error: unknown): void => this.failed(client, error);
    this.Client = class extends Client {
      constructor(config?: ClientConfig) {
        const host = current();
        // The pool hides the password from enumeration.
        super({ ...config, ...(config?.password !== undefined && { password: config.password }), ...host });
        register(this, host);
      }

      override connect(): Promise<Client>;
      override connect(callback: Connected): void;
      override connect(callback?: Connected): Promise<Client> | undefined {
        const connected = super.connect().catch((error: unknown) => {
          failed(this, error);
          throw error;
        });
        if (callback === undefined) return connected;
        connected.then(() => (callback as () => void)(), callback as (error: unknown) => void);
        return undefined;
      }
    };
  }

  get #current(): Host {
    return this.#hosts[this.#at] ?? this.#hosts[0];
  }

  /** Called when a connection could not be opened or its server is of no use: the next one goes to the next host. */
  failed(client: ClientBase, error: unknown): void {
    const host = this.#clients.get(client);
    // Several connections may fail at the same host at once.
    if (host === undefined || host !== this.#current || this.#hosts.length === 1) return;
    this.#at = (this.#at + 1) % this.#hosts.length;
    this.#logger.debug('A host of the database cannot be used; the next one is tried.', {
      host: inWords(host),
      next: inWords(this.#current),
      reason: reasonOf(error),
    });
  }
}
