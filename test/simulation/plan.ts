/** What a seed has in store: rounds of operations and faults, each of them decided before anything happens. */
import { Random } from '../support/random.js';

export type Operation = 'deposit' | 'deposit once' | 'apply' | 'approve' | 'read' | 'ask' | 'decide';
export type Fault =
  | 'crash'
  | 'power cut'
  | 'pause'
  | 'clock jump'
  | 'cut from the store'
  | 'cut from the link'
  | 'ledger away'
  | 'failover'
  | 'lag'
  | 'disk failure';

/** Something to do; `a` to `d`, from 0 to 1, decide whom it is about and how. */
export interface Action {
  /** Unique in a plan: what is left out when a trace is made shorter. */
  readonly id: string;
  /** Milliseconds from the beginning of its round. */
  readonly at: number;
  readonly what: Operation | Fault;
  readonly isFault: boolean;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
}

export interface Round {
  readonly actions: readonly Action[];
  /** Milliseconds with faults. */
  readonly busyMs: number;
  /** Milliseconds after that, without faults and with few operations. */
  readonly calmMs: number;
}

const operations: readonly Operation[] = [
  ...Array<Operation>(6).fill('deposit'),
  ...Array<Operation>(2).fill('deposit once'),
  ...Array<Operation>(2).fill('apply'),
  ...Array<Operation>(3).fill('approve'),
  ...Array<Operation>(5).fill('read'),
  'ask',
  'decide',
];

const faults: readonly Fault[] = [
  ...Array<Fault>(4).fill('crash'),
  ...Array<Fault>(3).fill('power cut'),
  ...Array<Fault>(3).fill('pause'),
  'clock jump',
  'cut from the store',
  'cut from the store',
  'cut from the link',
  'ledger away',
  ...Array<Fault>(3).fill('failover'),
  'lag',
  'disk failure',
];

const MINUTE = 60_000;

/** The same round for the same seed and number, whatever was run before. */
export function roundOf(seed: number, number: number): Round {
  const random = new Random(Math.imul(seed ^ 0x5bd1e995, 2654435761) ^ Math.imul(number + 1, 0x9e3779b1));
  const busyMs = (1 + random.next() * 9) * MINUTE;
  const calmMs = random.chance(0.3) ? random.next() * 60 * MINUTE : (1 + random.next() * 11) * 60 * MINUTE;
  const actions: Action[] = [];
  const add = (what: Action['what'], isFault: boolean, at: number): void => {
    const [a, b, c, d] = [random.next(), random.next(), random.next(), random.next()];
    actions.push({ id: `${number}.${actions.length}`, at, what, isFault, a, b, c, d });
  };
  const pace = 300 + random.next() * 4_000;
  for (let at = random.next() * pace; at < busyMs; at += random.next() * 2 * pace) {
    const burst = random.chance(0.15) ? 2 + random.below(8) : 1;
    for (let one = 0; one < burst; one += 1) add(random.pick(operations) ?? 'read', false, at + random.next() * 20);
  }
  const danger = 3_000 + random.next() * 20_000;
  for (let at = random.next() * danger; at < busyMs; at += random.next() * 2 * danger) {
    add(random.pick(faults) ?? 'crash', true, at);
  }
  for (let at = busyMs + random.next() * 30 * MINUTE; at < busyMs + calmMs; at += random.next() * 60 * MINUTE) {
    add(random.pick(operations) ?? 'read', false, at);
  }
  actions.sort((one, other) => one.at - other.at);
  return { actions, busyMs, calmMs };
}
