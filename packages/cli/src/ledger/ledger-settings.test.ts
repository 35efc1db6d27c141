/** The settings of the ledger: what they mean, and messages that name the variable and quote no key. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { MemoryStore, silentLogger } from '@blockwork/core';
import { afterEach, expect, test } from 'vitest';
import { readSettings } from '../serve/settings.js';
import { openLedger } from './open-ledger.js';

const SECRET = '5e'.repeat(32);
const minimal = {
  BLOCKWORK_LEDGER: 'hedera',
  BLOCKWORK_HEDERA_NETWORK: 'testnet',
  BLOCKWORK_HEDERA_OPERATOR: '0.0.1234',
  BLOCKWORK_HEDERA_KEY: SECRET,
};

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function fileOf(content: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'blockwork-ledger-'));
  folders.push(folder);
  const file = join(folder, 'operator.key');
  await writeFile(file, content);
  return file;
}

test('without a ledger nothing of it may be set', () => {
  expect(readSettings({}).ledger).toBeUndefined();
  expect(() => readSettings({ BLOCKWORK_HEDERA_KEY: SECRET })).toThrow(
    /^BLOCKWORK_HEDERA_KEY needs BLOCKWORK_LEDGER=hedera or --ledger hedera, which is not set\.$/,
  );
});

test('a network, an account and its key are enough', () => {
  expect(readSettings(minimal).ledger).toEqual({
    network: 'testnet',
    operator: '0.0.1234',
    key: { text: SECRET },
    mirror: undefined,
    nodes: undefined,
    accounts: 'given',
    tokens: {},
    parentTopic: undefined,
    dailyBudget: undefined,
    balanceFloor: undefined,
    gateway: undefined,
    ipfs: undefined,
  });
});

test('nodes and tokens are lists of pairs', () => {
  const { ledger } = readSettings({
    ...minimal,
    BLOCKWORK_HEDERA_NODES: '0.0.3=127.0.0.1:50211, 0.0.4=[::1]:50211',
    BLOCKWORK_HEDERA_TOKENS: 'token-1=0.0.77',
  });
  expect(ledger?.nodes).toEqual([
    { account: '0.0.3', address: '127.0.0.1:50211' },
    { account: '0.0.4', address: '[::1]:50211' },
  ]);
  expect(ledger?.tokens).toEqual({ 'token-1': '0.0.77' });
});

test.each([
  ['BLOCKWORK_LEDGER', 'hashgraph'],
  ['BLOCKWORK_HEDERA_NETWORK', ''],
  ['BLOCKWORK_HEDERA_OPERATOR', 'me'],
  ['BLOCKWORK_HEDERA_MIRROR', 'mirror.example'],
  ['BLOCKWORK_HEDERA_NODES', 'node.example:50211'],
  ['BLOCKWORK_HEDERA_ACCOUNTS', 'mine'],
  ['BLOCKWORK_HEDERA_TOKENS', '0.0.77'],
  ['BLOCKWORK_HEDERA_PARENT_TOPIC', '7'],
  ['BLOCKWORK_HEDERA_INITIALIZATION_TOPIC', '7'],
  ['BLOCKWORK_HEDERA_DAILY_BUDGET', '-3'],
  ['BLOCKWORK_WITNESS_MINUTES', '0'],
  ['BLOCKWORK_WITNESS_MINUTES', '10081'],
  ['BLOCKWORK_HEDERA_BALANCE_FLOOR', 'much'],
  ['BLOCKWORK_IPFS_GATEWAY', 'ipfs.example'],
  ['BLOCKWORK_IPFS_URL', '127.0.0.1:5001'],
])('%s=%s is refused by the name of the variable', (variable, value) => {
  const read = (): unknown => readSettings({ ...minimal, [variable]: value });
  expect(read).toThrow(new RegExp(`^${variable} must`));
  expect(read).not.toThrow(SECRET);
});

test('a network of your own has no public mirror', () => {
  const own = { ...minimal, BLOCKWORK_HEDERA_NETWORK: 'solo' };
  expect(() => readSettings(own)).toThrow(/^BLOCKWORK_HEDERA_MIRROR must be set for the network "solo"/);
  expect(readSettings({ ...own, BLOCKWORK_HEDERA_MIRROR: 'http://127.0.0.1:5551' }).ledger?.network).toBe('solo');
});

test('the key is given once: itself, or by its file', async () => {
  const both = { ...minimal, BLOCKWORK_HEDERA_KEY_FILE: '/run/operator.key' };
  expect(() => readSettings(both)).toThrow('Set one of BLOCKWORK_HEDERA_KEY and BLOCKWORK_HEDERA_KEY_FILE');
  expect(() => readSettings({ ...minimal, BLOCKWORK_HEDERA_KEY: '' })).toThrow('Set one of');
  const file = await fileOf(`${SECRET}\n`);
  const { ledger } = readSettings({ ...minimal, BLOCKWORK_HEDERA_KEY: '', BLOCKWORK_HEDERA_KEY_FILE: file });
  expect(ledger?.key).toEqual({ file });
});

const opened = async (variables: Readonly<Record<string, string>>) => {
  const { ledger } = readSettings(variables);
  if (ledger === undefined) throw new Error('There is no ledger.');
  return openLedger(ledger, new MemoryStore(), silentLogger);
};

test('opens with a key of either kind, and tells the operator who pays', async () => {
  const BLOCKWORK_HEDERA_KEY_FILE = await fileOf(SECRET);
  for (const variables of [minimal, { ...minimal, BLOCKWORK_HEDERA_KEY: '', BLOCKWORK_HEDERA_KEY_FILE }]) {
    const {
      options: { ledger },
      line,
    } = await opened(variables);
    expect(line).toContain('on Hedera testnet by the account 0.0.1234');
    expect(inspect([ledger, line], { depth: null, showHidden: true })).not.toContain(SECRET);
    await ledger.close();
  }
});

test('with a gateway, policies and tools are read from the ledger', async () => {
  const without = (await opened(minimal)).options;
  expect([without.toolSource, without.publications]).toEqual([undefined, undefined]);
  const { options } = await opened({ ...minimal, BLOCKWORK_IPFS_GATEWAY: 'http://127.0.0.1:9' });
  const { toolSource, publications, ledger } = options;
  expect(publications).toBe(toolSource);
  await expect(toolSource?.find({ messageId: 'one', hash: '' })).rejects.toThrow('"one" is not the id of a message');
  await ledger.close();
});

test('with a topic for DIDs, they are made on the ledger, and with minutes, logs are witnessed', async () => {
  const BLOCKWORK_HEDERA_DID_TOPIC = '0.0.4711';
  const { options } = await opened({ ...minimal, BLOCKWORK_HEDERA_DID_TOPIC, BLOCKWORK_WITNESS_MINUTES: '30' });
  expect(options.didMethod?.identityOf(new Uint8Array(32).fill(1)).did).toMatch(/^did:hedera:testnet:.+_0\.0\.4711$/);
  expect(options.witnessMinutes).toBe(30);
  await options.ledger.close();
  expect((await opened(minimal)).options).not.toHaveProperty('didMethod');
});

test('a key that is none is refused, and not quoted', async () => {
  const wrong = SECRET.slice(2);
  const error = await opened({ ...minimal, BLOCKWORK_HEDERA_KEY: wrong }).catch((caught: unknown) => caught);
  const shown = inspect(error, { depth: null, showHidden: true });
  expect(shown).toContain("The operator's key is not usable");
  expect(shown).toContain('BLOCKWORK_HEDERA_KEY: ');
  expect(shown).not.toContain(wrong);
  const BLOCKWORK_HEDERA_KEY_FILE = await fileOf(wrong);
  await expect(opened({ ...minimal, BLOCKWORK_HEDERA_KEY: '', BLOCKWORK_HEDERA_KEY_FILE })).rejects.toThrow(
    `BLOCKWORK_HEDERA_KEY_FILE (${BLOCKWORK_HEDERA_KEY_FILE}): The operator's key is not usable`,
  );
  await expect(
    opened({ ...minimal, BLOCKWORK_HEDERA_KEY: '', BLOCKWORK_HEDERA_KEY_FILE: '/nowhere/operator.key' }),
  ).rejects.toThrow('BLOCKWORK_HEDERA_KEY_FILE names /nowhere/operator.key, which cannot be read (ENOENT).');
});
