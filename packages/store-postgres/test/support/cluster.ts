/** A cluster of node processes, their shared ledger, and clients that retry each send on any node until it succeeds. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A node process that can be killed and replaced. */
export class ClusterNode {
  #child: ChildProcess;
  #url = Promise.resolve('');

  constructor(
    private readonly program: string,
    private readonly settings: object,
  ) {
    this.#child = this.#start();
  }

  /** Resolves once it accepts sends. */
  get url(): Promise<string> {
    return this.#url;
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child.kill(signal);
  }

  /** Kills the process and starts another. */
  async replace(): Promise<void> {
    await this.end();
    this.#child = this.#start();
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exit;
  }

  async stats(): Promise<{ units: number; attempts: number }> {
    return (await (await fetch(`${await this.#url}/stats`)).json()) as { units: number; attempts: number };
  }

  #start(): ChildProcess {
    const child = fork(this.program, [JSON.stringify(this.settings)]);
    this.#url = once(child, 'message').then(([message]) => {
      const { port } = message as { readonly port: number };
      return `http://127.0.0.1:${String(port)}`;
    });
    return child;
  }
}

/** Accepts effects, each once by its id, and drops the connection instead of every 40th answer. */
export class RemoteLedger {
  /** Ids by policy, in order of first arrival. */
  readonly effects = new Map<string, string[]>();
  readonly #server: Server;
  #calls = 0;

  private constructor() {
    this.#server = createServer((request, response) => {
      void (async () => {
        this.#take((await json(request)) as { readonly id: string; readonly policyId: string });
        if ((this.#calls += 1) % 40 === 0) response.destroy();
        else response.end('{}');
      })().catch(() => response.destroy());
    });
  }

  static async open(): Promise<RemoteLedger> {
    const ledger = new RemoteLedger();
    ledger.#server.listen(0, '127.0.0.1');
    await once(ledger.#server, 'listening');
    return ledger;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  #take({ id, policyId }: { readonly id: string; readonly policyId: string }): void {
    const ids = this.effects.get(policyId) ?? [];
    this.effects.set(policyId, ids);
    if (!ids.includes(id)) ids.push(id);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

export interface Payment {
  readonly policyId: string;
  readonly n: number;
  readonly key: string;
}

export interface Answer {
  readonly sum: number;
  readonly sends: number;
}

export class Clients {
  /** Number of errors that clients received, by code. */
  readonly refusals = new Map<string, number>();
  readonly answers = new Map<Payment, Answer>();
  #turn = 0;

  constructor(
    private readonly nodes: readonly ClusterNode[],
    private readonly onAnswer: (acknowledged: number) => void = () => undefined,
    /** Timeout of a send, since the node may have been stopped. */
    private readonly answerMs = 3000,
  ) {}

  /** Sends all payments, `width` at a time, and retries each until it is acknowledged. */
  async send(payments: readonly Payment[], width: number): Promise<void> {
    const paymentsLeft = [...payments];
    const client = async (): Promise<void> => {
      for (let next = paymentsLeft.shift(); next !== undefined; next = paymentsLeft.shift()) {
        this.answers.set(next, await this.untilAnswered(next));
        this.onAnswer(this.answers.size);
      }
    };
    await Promise.all(Array.from({ length: width }, client));
  }

  async untilAnswered(payment: Payment): Promise<Answer> {
    for (;;) {
      const { status, body } = await this.#once(payment);
      if (status === 200) return body as unknown as Answer;
      this.refusals.set(body.code, (this.refusals.get(body.code) ?? 0) + 1);
      if (status !== 0 && status !== 503) throw new Error(`${String(status)} ${body.code}: ${body.message}`);
      // An immediate retry would only fill the log while a node is down.
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async #once(payment: Payment): Promise<{ status: number; body: { code: string; message: string } }> {
    const node = this.nodes[(this.#turn += 1) % this.nodes.length];
    try {
      const signal = AbortSignal.timeout(this.answerMs);
      const url = await Promise.race([node?.url, rejected(signal)]);
      const response = await fetch(String(url), { method: 'POST', body: JSON.stringify(payment), signal });
      return { status: response.status, body: (await response.json()) as { code: string; message: string } };
    } catch (error) {
      return { status: 0, body: { code: 'NO_ANSWER', message: String(error) } };
    }
  }
}

const rejected = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }));
