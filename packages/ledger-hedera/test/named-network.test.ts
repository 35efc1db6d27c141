/**
 * The way to the first mint over real connections, on the fake network and on the one that `BLOCKWORK_TEST_HEDERA` names, such as
 * testnet. What is there afterwards is read from the mirror alone.
 */
import { createEngine, MemoryStore, systemClock } from '@blockwork/core';
import { afterEach, describe, expect, it } from 'vitest';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { ed25519Signer, openHederaLedger, type HederaLedgerOptions } from '../src/index.js';
import { OPERATOR, OPERATOR_KEY } from './support/bench.js';
import { FakeLedger } from './support/fake-ledger.js';
import { FakeNetwork } from './support/fake-network.js';
import { mintingBlock, mintingPolicy, registry, TOKEN } from './support/minting-policy.js';
import { serve } from './support/served-network.js';

/** What the variable holds, as JSON. */
const named = z.strictObject({
  network: z.string(),
  /** Up to `/api`. */
  mirror: z.url(),
  /** By default those that the mirror lists. */
  nodes: z.array(z.strictObject({ account: z.string(), address: z.string() })).optional(),
  operator: z.string(),
  /** A file with the operator's Ed25519 key, in hexadecimal digits. */
  keyFile: z.string(),
});

interface Network {
  readonly options: Omit<HederaLedgerOptions, 'store'> & { readonly mirror: string };
  /** Tries until the outbox is empty, a second or so apart on a network that is asked over the internet. */
  readonly patience: { readonly timeout: number; readonly interval: number };
  readonly close: () => Promise<void>;
}

async function fake(): Promise<Network> {
  const ledger = new FakeLedger(() => systemClock.now());
  const signer = ed25519Signer(OPERATOR_KEY);
  ledger.addAccount(OPERATOR, signer.publicKey);
  const served = await serve(new FakeNetwork(ledger));
  const { mirror, nodes } = served;
  const polling = { pollMs: 5, answerMs: 120_000, polls: 400 };
  return {
    options: { network: 'fake', mirror, nodes, operator: OPERATOR, signer, ...polling },
    patience: { timeout: 240_000, interval: 50 },
    close: () => served.close(),
  };
}

async function given(text: string): Promise<Network> {
  const { keyFile, nodes, ...options } = named.parse(JSON.parse(text));
  const signer = ed25519Signer((await readFile(keyFile, 'utf8')).trim());
  return {
    options: { ...options, ...(nodes !== undefined && { nodes }), signer },
    patience: { timeout: 240_000, interval: 1_000 },
    close: () => Promise.resolve(),
  };
}

const text = process.env.BLOCKWORK_TEST_HEDERA;
if (text === undefined)
  process.stderr.write('Skipped: the way to the first mint on a public network. BLOCKWORK_TEST_HEDERA names none.\n');
const networks: [name: string, open: () => Promise<Network>][] = [
  ['the fake network', fake],
  ...(text === undefined
    ? []
    : [['the network that the environment names', () => given(text)] as [string, typeof fake]]),
];

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

describe.each(networks)('on %s', (_, open) => {
  it('a policy is published and mints, and mirror and book say the same', async () => {
    const { options, patience, close } = await open();
    closing.push(close);
    const store = new MemoryStore();
    const ledger = openHederaLedger({ ...options, store, accounts: 'created' });
    const engine = createEngine({ blocks: [mintingBlock], store, ledger });
    closing.push(() => engine.close());
    const { policy } = await engine.importPolicy(registry, mintingPolicy);
    await engine.lifecycle.publish(registry, policy.id, '1.0.0');
    for (let sends = 0; sends < 3; sends += 1) await engine.sendToBlock(registry, policy.id, { tag: 'mint' }, {});
    await expect.poll(async () => (await engine.program.getBacklog()).settlements, patience).toBe(0);

    const ask = async (path: string): Promise<Record<string, unknown>> =>
      (await (await fetch(`${options.mirror}/api/v1/${path}`)).json()) as Record<string, unknown>;
    const id = await ledger.ids.idOf(policy.id, 'token', TOKEN);
    expect(await ask(`tokens/${String(id)}`)).toMatchObject({ token_id: id, total_supply: '375' });
    const { differences, compared } = await engine.ledger.compare(registry, policy.id);
    expect(differences).toEqual([]);
    expect(compared.messages).toBeGreaterThan(3);
  });
});
