/** One simulation: everything that can happen to a few instances, in an order that a seed decides, and what must be true in the end. */
import { INSTANCE } from '@blockwork/core/records';
import type { RemoteRequest } from '@blockwork/core';
import type { RequestStatus } from '@blockwork/core/records';
import { SimulatedClock, SimulatedTimers } from '@blockwork/testing';
import { policyOf, recordOf } from './ballot.js';
import { Instance, REQUEST_MS } from './instance.js';
import { Random } from '../../support/random.js';
import { SimulatedNetwork } from './simulated-network.js';

export interface Outcome {
  /** What went wrong; empty when nothing did. */
  readonly problems: string[];
  /** Everything that was done, in order: the same seed gives the same. */
  readonly trace: string[];
  readonly conversations: number;
  readonly statuses: Readonly<Partial<Record<RequestStatus, number>>>;
  readonly deaths: number;
  /** Envelopes of several messages that the network took. */
  readonly batches: number;
}

/** What a caller was told, which must stay true. */
interface Told {
  readonly at: Instance;
  readonly messageId: string;
  readonly status: RequestStatus;
}

/** Everything between two steps is done by promises that are settled already, so one turn of the loop ends it. */
const quiet = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export class Simulation {
  readonly #random: Random;
  readonly #clock = new SimulatedClock();
  readonly #timers = new SimulatedTimers(this.#clock);
  readonly #network: SimulatedNetwork;
  readonly #instances: Instance[];
  readonly #trace: string[] = [];
  readonly #told: Told[] = [];
  readonly #refusals: string[] = [];
  #deaths = 0;
  #asked = 0;

  constructor(seed: number) {
    this.#random = new Random(seed);
    this.#network = new SimulatedNetwork(this.#random);
    const size = 2 + this.#random.below(6);
    this.#instances = Array.from({ length: size }, (_, at) => {
      const isAutomatic = this.#random.chance(0.4);
      const autoApprove = isAutomatic
        ? ({ messageId }: RemoteRequest): boolean => /[02468]$/.test(messageId)
        : undefined;
      return new Instance(at, { size, network: this.#network, clock: this.#clock, timers: this.#timers, autoApprove });
    });
  }

  async run(steps: number): Promise<Outcome> {
    for (const instance of this.#instances) await instance.prepare();
    for (let step = 0; step < steps; step += 1) {
      await this.#step();
      await quiet();
    }
    await this.#heal();
    const { problems, rows } = await this.#examine();
    const statuses: Partial<Record<RequestStatus, number>> = {};
    for (const { status } of rows) statuses[status] = (statuses[status] ?? 0) + 1;
    const [deaths, batches] = [this.#deaths, this.#network.batches];
    return { problems, trace: this.#trace, conversations: rows.length, statuses, deaths, batches };
  }

  async #step(): Promise<void> {
    const dice = this.#random.below(100);
    if (dice < 45) this.#network.deliver();
    else if (dice < 65) this.#ask();
    else if (dice < 82) await this.#decide();
    else if (dice < 90) this.#timers.advance(this.#random.pick([10, 300, 1500, 5000, 20_000]) ?? 0);
    else if (dice < 95) this.#die();
    else this.#restart();
  }

  /** One request, or several at once, which may go together. */
  #ask(): void {
    const from = this.#random.pick(this.#instances);
    const to = this.#random.pick(from?.peers ?? []);
    if (from === undefined || to === undefined || from.life.isOver) return;
    const count = this.#random.chance(0.3) ? 2 + this.#random.below(4) : 1;
    for (let request = 0; request < count; request += 1) this.#askOne(from, to);
  }

  #askOne(from: Instance, to: string): void {
    this.#asked += 1;
    const resume = { policyId: policyOf(from.name).id, tag: 'notebook', user: { did: from.user.did } };
    const expiresInMs = this.#random.pick([2000, REQUEST_MS]) ?? 0;
    const kind = this.#random.pick(['vote', 'vote', 'offer', 'sign'] as const);
    this.#note(`${from.name} asks ${to}: ${String(kind)} ${String(this.#asked)}`);
    const { requests } = from.engine;
    const asking =
      kind === 'offer'
        ? requests.offerPolicy(from.owner, policyOf(from.name).id, { to })
        : requests.ask(from.user, { to, expiresInMs, resume, ...this.#question(kind ?? 'vote', from, to) });
    const { life } = from;
    asking.catch((error: unknown) => {
      const refusal = `${from.name} could not ask ${to}: ${String(kind)}, ${String(error)}`;
      this.#note(refusal);
      // Who dies while asking may fail in any way; all others are allowed to ask.
      if (!life.isOver) this.#refusals.push(refusal);
    });
  }

  #question(kind: 'vote' | 'sign', from: Instance, to: string): { policyId: string; action: RemoteRequest['action'] } {
    const nonce = String(this.#asked);
    if (kind === 'sign') {
      const policy = recordOf(from.name);
      const credential = { id: `urn:${nonce}`, issuer: `did:${to}:owner` };
      return { policyId: policy.id, action: { type: 'sign', signer: `did:${to}:owner`, credential, policy } };
    }
    const vote = this.#random.chance(0.1) ? `${nonce} bad` : nonce;
    // Now and then about a policy that is not there.
    const policyId = this.#random.chance(0.05) ? 'nowhere' : policyOf(to).id;
    return { policyId, action: { type: 'send-data', tag: 'ballot', user: { did: from.user.did }, data: { vote } } };
  }

  /** Somebody, or several at once, decide about any request, open or not. */
  async #decide(): Promise<void> {
    const at = this.#random.pick(this.#instances);
    if (at === undefined || at.life.isOver) return;
    const rows = await at.store.find('request', INSTANCE);
    const row = this.#random.pick(rows.filter(({ status }) => status === 'NEW' || this.#random.chance(0.2)));
    if (row === undefined) return;
    const callers = this.#random.chance(0.3) ? 3 : 1;
    for (let caller = 0; caller < callers; caller += 1) this.#verb(at, row);
  }

  #verb(at: Instance, { messageId, direction, sender }: RemoteRequest): void {
    const { requests } = at.engine;
    const note = (status: RequestStatus): void => {
      this.#note(`${at.name} was told ${messageId} is ${status}`);
      if (status !== 'NEW') this.#told.push({ at, messageId, status });
    };
    const refused = (error: unknown): void => this.#note(`${at.name} was refused ${messageId}: ${String(error)}`);
    if (direction === 'outgoing') {
      const caller = sender.did === at.user.did ? at.user : at.owner;
      requests.cancel(caller, messageId).then(({ status }) => note(status), refused);
    } else if (this.#random.chance(0.6)) {
      requests.approveAsOffered(at.owner, messageId).then(() => note('COMPLETED'), refused);
    } else {
      requests.reject(at.owner, messageId, 'no').then(({ status }) => note(status), refused);
    }
  }

  #die(): void {
    const victim = this.#random.pick(this.#instances);
    if (victim === undefined || victim.life.isOver) return;
    const [calls, happens] = [1 + this.#random.below(12), this.#random.chance(0.5)];
    this.#note(`${victim.name} dies after ${String(calls)} calls`);
    this.#deaths += 1;
    victim.life.endsAfter(calls, happens);
  }

  #restart(): void {
    const dead = this.#random.pick(this.#instances.filter(({ life }) => life.isOver));
    if (dead === undefined) return;
    this.#note(`${dead.name} is started again`);
    dead.start();
  }

  /** Everybody lives, nothing is lost any more, and time passes: long enough for every request to expire, too short to give up. */
  async #heal(): Promise<void> {
    this.#network.isFaulty = false;
    for (const instance of this.#instances) {
      instance.life.endsAfter(Infinity, false);
      if (instance.life.isOver) instance.start();
    }
    for (let round = 0; round < 30; round += 1) {
      await quiet();
      for (let most = 2000; this.#network.owed > 0 && most > 0; most -= 1) {
        this.#network.deliver();
        await quiet();
      }
      this.#timers.advance(REQUEST_MS / 10);
    }
    await quiet();
  }

  async #examine(): Promise<{ problems: string[]; rows: RemoteRequest[] }> {
    const problems = [...this.#refusals];
    const demand = (isTrue: boolean, problem: string): void => {
      if (!isTrue) problems.push(problem);
    };
    const rows: RemoteRequest[] = [];
    demand(this.#network.owed === 0, 'messages are still owed');
    for (const instance of this.#instances) {
      const { name, store, engine } = instance;
      demand((await store.count('outbox', INSTANCE)) === 0, `${name} still has messages to send`);
      const { counts } = await engine.requests.getRefusalReport(instance.owner);
      for (const [reason, count] of Object.entries(counts)) {
        demand(
          count === 0 || reason === 'replayed' || reason === 'expired',
          `${name} refused ${String(count)} ${reason}`,
        );
      }
      for (const row of await store.find('request', INSTANCE)) {
        rows.push(row);
        demand(row.status !== 'NEW', `${name} still waits about ${row.messageId}`);
        const steps = row.history.map(({ status }) => status).join();
        demand(steps === `NEW,${row.status}`, `${name} went ${steps} about ${row.messageId}`);
      }
    }
    for (const row of rows) await this.#examineRow(row, rows, demand);
    for (const { at, messageId, status } of this.#told) {
      const row = await at.store.get('request', INSTANCE, messageId);
      demand(row?.status === status, `${at.name} said ${status} of ${messageId}, which is ${String(row?.status)}`);
    }
    return { problems, rows: rows.filter(({ direction }) => direction === 'outgoing') };
  }

  async #examineRow(
    row: RemoteRequest,
    rows: readonly RemoteRequest[],
    demand: (isTrue: boolean, problem: string) => void,
  ): Promise<void> {
    const { direction, startMessageId, sender, status, to } = row;
    const others = rows.filter(
      (other) =>
        other.direction !== direction &&
        other.startMessageId === startMessageId &&
        other.sender.instance === sender.instance,
    );
    const name = `${startMessageId} of ${sender.instance} (${row.type})`;
    demand(others.length === 1, `${name} has ${String(others.length)} rows on the other side of its ${direction} one`);
    demand(
      others[0]?.status === status,
      `${name} is ${status} on one side and ${String(others[0]?.status)} on the other`,
    );
    if (direction === 'incoming') await this.#examineEffect(row, name, demand);
    if (direction === 'outgoing' && row.resume !== undefined) {
      const documents = await this.#documents(
        sender.instance,
        'answer',
        ({ messageId }) => messageId === row.messageId,
      );
      demand(documents.length === 1, `${name} resumed its block ${String(documents.length)} times`);
      demand(documents[0]?.['status'] === status, `${name} resumed its block with another status than ${status}`);
      demand(
        row.closed?.resumeError === undefined,
        `${name} did not resume: ${JSON.stringify(row.closed?.resumeError)}`,
      );
    }
    demand(to !== sender.instance, `${name} asks itself`);
  }

  /** Carried out once where it is completed, and not at all where it is not. */
  async #examineEffect(
    row: RemoteRequest,
    name: string,
    demand: (isTrue: boolean, problem: string) => void,
  ): Promise<void> {
    const { action, policyId, status, to } = row;
    const expected = status === 'COMPLETED' ? 1 : 0;
    if (action.type === 'send-data') {
      const { vote } = action.data as { vote: string };
      const documents = await this.#documents(to, 'vote', (document) => document['vote'] === vote);
      demand(
        documents.length === expected,
        `${name} is ${status} and was carried out ${String(documents.length)} times`,
      );
    }
    if (action.type === 'import-policy' && expected === 1) {
      const policy = await this.#instance(to)?.store.get('policy', INSTANCE, policyId);
      demand(policy !== undefined, `${name} is ${status} and the policy is not there`);
    }
    if (action.type === 'sign' && expected === 1) {
      demand(
        (row.closed?.result as { proof?: unknown }).proof !== undefined,
        `${name} is ${status} without a signature`,
      );
    }
  }

  async #documents(
    at: string,
    type: string,
    isMeant: (document: Record<string, unknown>) => boolean,
  ): Promise<Record<string, unknown>[]> {
    const where = { path: 'type', op: 'eq', value: type } as const;
    const documents = (await this.#instance(at)?.store.find('document', policyOf(at).id, { where })) ?? [];
    return documents.map(({ document }) => document as Record<string, unknown>).filter(isMeant);
  }

  #instance(name: string): Instance | undefined {
    return this.#instances.find((instance) => instance.name === name);
  }

  #note(line: string): void {
    this.#trace.push(line);
  }
}
