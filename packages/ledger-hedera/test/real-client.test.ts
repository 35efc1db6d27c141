/**
 * The fake network with the network's own client: it takes the answers for those of a node. Runs where that client is:
 * `BLOCKWORK_HEDERA_SDK=<folder>/node_modules/@hiero-ledger/sdk/src/index.js`.
 */
import { systemClock } from '@blockwork/core';
import { describe, expect, it } from 'vitest';
import { ed25519Signer } from '../src/index.js';
import { OPERATOR, OPERATOR_KEY } from './support/bench.js';
import { FakeLedger } from './support/fake-ledger.js';
import { FakeNetwork } from './support/fake-network.js';
import { serve } from './support/served-network.js';

const path = process.env['BLOCKWORK_HEDERA_SDK'];

interface Entity {
  toString(): string;
}
interface Receipt {
  readonly status: Entity;
  readonly topicId: Entity;
  readonly tokenId: Entity;
  readonly serials: readonly Entity[];
}
interface Sent {
  getReceipt(client: Client): Promise<Receipt>;
}
/** Setters return the transaction itself. */
interface Transaction {
  readonly [setter: `set${string}`]: (value: unknown) => Transaction;
  execute(client: Client): Promise<Sent>;
}
interface Client {
  setOperator(account: string, key: unknown): Client;
  setMaxAttempts(most: number): Client;
  close(): void;
}
interface Sdk {
  readonly Client: { forNetwork(nodes: Readonly<Record<string, string>>): Client };
  readonly PrivateKey: { fromStringED25519(text: string): { readonly publicKey: unknown } };
  readonly TokenType: { readonly NonFungibleUnique: unknown };
  readonly TopicCreateTransaction: new () => Transaction;
  readonly TopicMessageSubmitTransaction: new () => Transaction;
  readonly TokenCreateTransaction: new () => Transaction;
  readonly TokenMintTransaction: new () => Transaction;
}

const set = (transaction: Transaction, values: Readonly<Record<string, unknown>>): Transaction => {
  for (const [name, value] of Object.entries(values)) transaction[`set${name}`]?.(value);
  return transaction;
};

describe.skipIf(path === undefined)('the network’s own client', () => {
  it('makes topics, messages in pieces, and tokens, and reads their receipts', async () => {
    const sdk = (await import(path ?? '')) as Sdk;
    const ledger = new FakeLedger(() => systemClock.now());
    ledger.addAccount(OPERATOR, ed25519Signer(OPERATOR_KEY).publicKey);
    const served = await serve(new FakeNetwork(ledger));
    const client = sdk.Client.forNetwork(
      Object.fromEntries(served.nodes.map(({ address, account }) => [address, account])),
    );
    const key = sdk.PrivateKey.fromStringED25519(OPERATOR_KEY);
    client.setOperator(OPERATOR, key).setMaxAttempts(3);
    const receiptOf = async (transaction: Transaction): Promise<Receipt> =>
      (await transaction.execute(client)).getReceipt(client);
    const { topicId } = await receiptOf(set(new sdk.TopicCreateTransaction(), { TopicMemo: 'a topic' }));
    const text = 'x'.repeat(2500);
    await receiptOf(set(new sdk.TopicMessageSubmitTransaction(), { TopicId: topicId, Message: text }));
    const pieces = ledger.topics.get(topicId.toString())?.messages ?? [];
    expect(pieces.map((piece) => piece.text).join('')).toBe(text);
    expect(pieces.map(({ number, total }) => `${String(number)}/${String(total)}`)).toEqual(['1/3', '2/3', '3/3']);
    const created = await receiptOf(
      set(new sdk.TokenCreateTransaction(), {
        TokenName: 'Deed',
        TokenSymbol: 'D',
        TokenType: sdk.TokenType.NonFungibleUnique,
        TreasuryAccountId: OPERATOR,
        SupplyKey: key.publicKey,
      }),
    );
    const minted = await receiptOf(
      set(new sdk.TokenMintTransaction(), { TokenId: created.tokenId, Metadata: [Buffer.from('a'), Buffer.from('b')] }),
    );
    expect(minted.serials.map(String)).toEqual(['1', '2']);
    expect(ledger.supply(created.tokenId.toString())).toBe(2n);
    client.close();
    await served.close();
  });
});
