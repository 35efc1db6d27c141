/** A ledger adapter over the fake network with simulated time, in a process that can be killed at any step. */
import {
  MemoryStore,
  type LedgerEffect,
  type LedgerMessage,
  type LedgerToken,
  type PolicyStore,
} from '@blockwork/core';
import { SimulatedClock } from '@blockwork/testing';
import { HederaLedger } from '../../src/hedera-ledger.js';
import { openHistory } from '../../src/network/history.js';
import { openMirror } from '../../src/network/mirror.js';
import { mirrorRest } from '../../src/network/mirror-rest.js';
import { openNodes } from '../../src/network/nodes.js';
import { resolveOptions, type HederaLedgerOptions } from '../../src/options.js';
import { ed25519Signer } from '../../src/wire/signer.js';
import { FakeLedger } from './fake-ledger.js';
import { FakeNetwork } from './fake-network.js';

const POLICY = 'policy-1';
export const OPERATOR = '0.0.1002';
export const OPERATOR_KEY = '07'.repeat(32);

/** The process is gone: nothing that it would still do happens. */
class Killed extends Error {}

/** Kills the process at the n-th of its steps. */
export class Fuse {
  #isDead = false;
  constructor(private stepsLeft = Infinity) {}

  step(): void {
    if (this.#isDead) throw new Killed('killed before');
    this.stepsLeft -= 1;
    if (this.stepsLeft > 0) return;
    this.#isDead = true;
    throw new Killed('killed now');
  }
}

export interface Bench {
  readonly clock: SimulatedClock;
  readonly ledger: FakeLedger;
  readonly network: FakeNetwork;
  readonly store: MemoryStore;
  readonly open: (fuse?: Fuse, options?: Partial<HederaLedgerOptions>) => HederaLedger;
}

export function startBench(options: Partial<HederaLedgerOptions> = {}): Bench {
  const clock = new SimulatedClock();
  const ledger = new FakeLedger(() => clock.now());
  const network = new FakeNetwork(ledger);
  const signer = ed25519Signer(OPERATOR_KEY);
  ledger.addAccount(OPERATOR, signer.publicKey);
  const store = new MemoryStore();
  let uuids = 0;
  const ids = { uuid: () => `00000000-0000-4000-8000-${String((uuids += 1)).padStart(12, '0')}` };
  const open = (fuse = new Fuse(), more: Partial<HederaLedgerOptions> = {}): HederaLedger => {
    const nodes = openNodes(
      ledger.nodeAccounts.map((account) => ({ account, address: account })),
      1000,
      {
        call: async (account, method, bytes) => {
          await Promise.resolve();
          fuse.step();
          const answer = network.node(account, method, bytes);
          fuse.step();
          return answer;
        },
        close: () => Promise.resolve(),
      },
    );
    const request = async (url: unknown): Promise<Response> => {
      await Promise.resolve();
      fuse.step();
      const { status, body } = network.mirror((url as string).replace('http://mirror/api/v1/', ''));
      return new Response(body, { status });
    };
    const resolved = resolveOptions({
      store: killable(store, fuse),
      network: 'fake',
      mirror: 'http://mirror',
      operator: OPERATOR,
      signer,
      accounts: 'created',
      clock,
      polls: 5,
      ids,
      timers: {
        after: (ms, run) => {
          clock.advance(ms);
          queueMicrotask(run);
          return () => undefined;
        },
      },
      ...options,
      ...more,
    });
    const ask = mirrorRest(resolved.mirror, 1000, request);
    const mirror = openMirror(ask);
    const history = openHistory(ask);
    return new HederaLedger(resolved, {
      mirror,
      accounts: mirror,
      nodes: () => Promise.resolve(nodes),
      history,
      close: () => nodes.close(),
    });
  };
  return { clock, ledger, network, store, open };
}

/** A commit is a step that a process may die before, or right after. */
const killable = (store: PolicyStore, fuse: Fuse): PolicyStore =>
  new Proxy(store, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      const method = value.bind(target) as (...args: unknown[]) => Promise<unknown>;
      return async (...args: unknown[]) => {
        fuse.step();
        const answer = await method(...args);
        fuse.step();
        return answer;
      };
    },
  });

let effects = 0;
export const effect = (type: LedgerEffect['type'], facts: Partial<LedgerEffect> = {}): LedgerEffect => ({
  id: `${POLICY}/${String((effects += 1))}/0`,
  policyId: POLICY,
  at: '2026-01-01T00:00:00.000Z',
  type,
  ...facts,
});

export const token = (id: string, facts: Partial<LedgerToken> = {}): LedgerToken => ({
  id,
  tokenName: `Token ${id}`,
  tokenSymbol: 'T',
  tokenType: 'fungible',
  decimals: 2,
  supply: '0',
  lastSerial: 0,
  source: { enableKYC: false, enableFreeze: true, enableWipe: true },
  ...facts,
});

export const message = (id: string, facts: Partial<LedgerMessage> = {}): LedgerMessage => ({
  id,
  topicId: 'book-topic',
  type: 'vc-document',
  owner: 'did:example:owner',
  hash: `hash-of-${id}`,
  relationships: [],
  memo: '',
  body: { id: 'urn:uuid:1', issuer: 'did:example:issuer', type: 'report' },
  ...facts,
});

export const topicEffect = (): LedgerEffect =>
  effect('create-topic', { topicId: 'book-topic', memo: '', body: { name: 'root', owner: '' } });

export const messageEffect = (record: LedgerMessage): LedgerEffect =>
  effect('message', { topicId: record.topicId, messageId: record.id, body: { ...record } });
