/** The callers of a simulation: they send, read and decide at any node, and try again where no answer comes. */
import { isBlockworkError, type PolicyEngine } from '@blockwork/core';
import type { Instance, Node } from './instance.js';
import type { Network } from './network.js';
import type { Action, Operation } from './plan.js';
import { accountOf, CLOCK, CREDITS, ownerOf, PERMITS, policyIdOf, userOf, type Head } from './policies.js';
import type { Scheduler } from './scheduler.js';

export interface WorkloadWorld {
  readonly scheduler: Scheduler;
  readonly network: Network;
  readonly instances: readonly Instance[];
  readonly report: (invariant: string, problem: string) => void;
}

/** No answer came. */
class NoAnswer extends Error {}

const USERS = 5;
const CLIENT_MS = 40_000;
/** What a caller may be told while something is wrong, and then tries again. */
const passing = ['STORE_UNAVAILABLE', 'COMMIT_UNKNOWN', 'CONFLICT', 'ENGINE_CLOSED', 'RUN_TOO_LONG'] as const;

export class Workload {
  /** Operations that are not over. */
  readonly open = new Map<string, string>();
  completed = 0;

  constructor(private readonly world: WorkloadWorld) {}

  start(action: Action): void {
    const { instances } = this.world;
    const instance = pick(instances, action.a);
    if (instance === undefined) return;
    const operate = this.#operations[action.what as Operation];
    const name = `${action.what} ${action.id}`;
    this.open.set(action.id, name);
    operate(instance, action)
      .catch((error: unknown) => this.world.report('no caller is told nonsense', `${name}: ${String(error)}`))
      .finally(() => {
        this.open.delete(action.id);
        this.completed += 1;
      });
  }

  readonly #operations: Readonly<Record<Operation, (instance: Instance, action: Action) => Promise<void>>> = {
    deposit: (instance, action) => this.#deposit(instance, action, true),
    'deposit once': (instance, action) => this.#deposit(instance, action, false),
    apply: (instance, { id, b }) => this.#apply(instance, `k${id}`, b),
    approve: (instance, action) => this.#approve(instance, action),
    read: (instance, action) => this.#read(instance, action),
    ask: (instance, action) => this.#ask(instance, action),
    decide: (instance, action) => this.#decide(instance, action),
  };

  /** With an idempotency key, until it is acknowledged; without one, a single time. */
  async #deposit(instance: Instance, { id, b }: Action, isKeyed: boolean): Promise<void> {
    const key = `k${id}`;
    const policyId = policyIdOf(instance.shape.name, CREDITS);
    const user = Math.floor(b * USERS);
    const call = (engine: PolicyEngine): Promise<Head> =>
      engine.sendToBlock<Head & Record<string, number>>(
        userOf(instance.shape.name, user),
        policyId,
        { tag: 'deposits' },
        { key, account: accountOf(user) },
        isKeyed ? { idempotencyKey: key } : {},
      );
    const head = isKeyed
      ? await this.#until(instance, `deposits ${key}`, call)
      : await this.#once(instance, `deposits ${key} once`, call);
    if (head === undefined) return;
    this.#tell(`${key} is acknowledged as number ${head.count} of ${policyId}`);
    instance.oracle.acknowledge(policyId, key, head);
  }

  async #apply(instance: Instance, key: string, b: number): Promise<void> {
    const policyId = policyIdOf(instance.shape.name, PERMITS);
    const user = userOf(instance.shape.name, Math.floor(b * USERS));
    const head = await this.#until(instance, `applies ${key}`, (engine) =>
      engine.sendToBlock<Head & Record<string, number>>(
        user,
        policyId,
        { tag: 'permits' },
        { apply: key },
        { idempotencyKey: key },
      ),
    );
    if (head === undefined) return;
    this.#tell(`${key} is acknowledged as number ${head.count} of ${policyId}`);
    instance.oracle.acknowledge(policyId, key, head);
  }

  /** Sometimes two decide about the same application, on different nodes. */
  async #approve(instance: Instance, { id, b, c, d }: Action): Promise<void> {
    const policyId = policyIdOf(instance.shape.name, PERMITS);
    const { keys, approved } = instance.oracle.state(policyId);
    const waiting = [...keys.keys()].filter((key) => !approved.has(key));
    const key = pick(c < 0.8 && waiting.length > 0 ? waiting.slice(-5) : [...keys.keys()].slice(-8), b);
    if (key === undefined) return;
    const voices = d < 0.4 ? 2 : 1;
    const approving = Array.from({ length: voices }, async (_, voice) => {
      const user = userOf(instance.shape.name, voice);
      const idempotencyKey = `a${id}.${voice}`;
      const answer = await this.#until(instance, `approves ${key} (${voice + 1} of ${voices})`, (engine) =>
        engine.sendToBlock(user, policyId, { tag: 'permits' }, { approve: key }, { idempotencyKey }),
      );
      if (answer === undefined) return;
      this.#tell(`the approval of ${key} is acknowledged`);
      instance.oracle.acknowledgeApproval(policyId, key);
    });
    await Promise.all(approving);
  }

  async #read(instance: Instance, { b, c }: Action): Promise<void> {
    const name = b < 0.7 ? CREDITS : PERMITS;
    const policyId = policyIdOf(instance.shape.name, name);
    const user = userOf(instance.shape.name, Math.floor(c * USERS));
    const tag = name === CREDITS ? 'deposits' : 'permits';
    const { oracle } = instance;
    let where = '';
    let start = oracle.viewStart(policyId);
    const text = await this.#once(instance, '', (engine, node) => {
      where = node.name;
      start = oracle.viewStart(policyId);
      return engine.readBlockText(user, policyId, { tag });
    });
    if (text !== undefined) oracle.viewed(policyId, JSON.parse(text) as Head, start, where);
  }

  /** Asks another instance for a vote. */
  async #ask(instance: Instance, { id, b, c }: Action): Promise<void> {
    const { name } = instance.shape;
    const other = pick(
      this.world.instances.filter((each) => each !== instance),
      b,
    );
    if (other === undefined) return;
    const to = other.shape.name;
    const user = userOf(name, 0);
    const resume = { policyId: policyIdOf(name, CLOCK), tag: 'notebook', user: { did: user.did } };
    const action = { type: 'send-data', tag: 'ballot', user: { did: user.did }, data: { vote: id } } as const;
    const expiresInMs = c < 0.3 ? 30_000 : 600_000;
    await this.#once(instance, `asks ${to} for vote ${id}`, (engine) =>
      engine.requests.ask(user, { to, expiresInMs, resume, policyId: policyIdOf(to, CLOCK), action }),
    );
  }

  /** Somebody decides about a request, which may be decided already. */
  async #decide(instance: Instance, { b, c, d }: Action): Promise<void> {
    const { oracle, shape } = instance;
    const all = [...oracle.requests.values()];
    const fresh = all.filter(({ status }) => status === 'NEW');
    const request = pick(d < 0.8 && fresh.length > 0 ? fresh : all.slice(-10), b);
    if (request === undefined) return;
    const { messageId, direction } = request;
    const owner = ownerOf(shape.name);
    const how = direction === 'outgoing' ? 'cancels' : c < 0.7 ? 'approves' : 'rejects';
    if (how === 'cancels' && c < 0.7) return;
    const status = await this.#once(instance, `${how} request ${messageId}`, async ({ requests }) => {
      if (how === 'cancels') return (await requests.cancel(owner, messageId)).status;
      if (how === 'rejects') return (await requests.reject(owner, messageId, 'no')).status;
      await requests.approveAsOffered(owner, messageId);
      return 'COMPLETED' as const;
    });
    if (status === undefined || status === 'NEW') return;
    this.#tell(`request ${messageId} is acknowledged as ${status}`);
    const stored = oracle.requests.get(messageId)?.status;
    if (stored !== status && oracle.losses === 0) {
      this.world.report('acknowledged is there', `${messageId} was acknowledged as ${status} and is ${String(stored)}`);
    }
  }

  /** Tries until it is answered; `undefined` where it is refused for good. */
  async #until<T>(
    instance: Instance,
    what: string,
    call: (engine: PolicyEngine, node: Node) => Promise<T>,
  ): Promise<T | undefined> {
    const { scheduler } = this.world;
    for (let attempt = 1; ; attempt += 1) {
      const node = this.#nodeOf(instance);
      if (node !== undefined) {
        const outcome = await this.#attempt(node, attempt === 1 ? what : `${what}, attempt ${attempt}`, call);
        if ('value' in outcome) return outcome.value;
        if (outcome.isFinal) return undefined;
      }
      await scheduler.pass(200 + scheduler.random.next() * 3_000, null, 'a caller waits');
    }
  }

  /** Tries once; `undefined` where nobody answers, or it is refused. */
  async #once<T>(
    instance: Instance,
    what: string,
    call: (engine: PolicyEngine, node: Node) => Promise<T>,
  ): Promise<T | undefined> {
    const node = this.#nodeOf(instance);
    if (node === undefined) return undefined;
    const outcome = await this.#attempt(node, what, call);
    return 'value' in outcome ? outcome.value : undefined;
  }

  async #attempt<T>(
    node: Node,
    what: string,
    call: (engine: PolicyEngine, node: Node) => Promise<T>,
  ): Promise<{ value: T } | { isFinal: boolean }> {
    const { scheduler, network } = this.world;
    const { life, engine } = node;
    if (engine === null) return { isFinal: false };
    if (what !== '') this.#tell(`somebody ${what} at ${node.name}`);
    try {
      const value = await new Promise<T>((resolve, reject) => {
        const leave = life.atEnd(() => reject(new NoAnswer('the node has died')));
        const cancel = scheduler.after(CLIENT_MS, null, 'a caller gives up', () =>
          reject(new NoAnswer('it took too long')),
        );
        const end = (): void => {
          leave();
          cancel();
        };
        const isAnswerLost = network.chance(0.02);
        call(engine, node).then(
          (answer) => {
            end();
            if (isAnswerLost) reject(new NoAnswer('the answer was lost'));
            else resolve(answer);
          },
          (error: unknown) => {
            end();
            reject(asError(error));
          },
        );
      });
      return { value };
    } catch (error) {
      if (what !== '') this.#tell(`somebody who ${what} at ${node.name} is told: ${String(error)}`);
      if (error instanceof NoAnswer || passing.some((code) => isBlockworkError(error, code))) return { isFinal: false };
      return { isFinal: true };
    }
  }

  #nodeOf({ nodes }: Instance): Node | undefined {
    const { random } = this.world.scheduler;
    return random.pick(nodes.filter(({ engine }) => engine !== null));
  }

  #tell(line: string): void {
    this.world.scheduler.trace.tell(line);
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

const pick = <T>(items: readonly T[], chance: number): T | undefined => items[Math.floor(chance * items.length)];
