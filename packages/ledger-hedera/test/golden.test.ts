/** The bytes mean the same as those of the network's own client, from which the golden ones were made. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openNodes } from '../src/network/nodes.js';
import type { Operation } from '../src/transactions/operation.js';
import { signTransaction } from '../src/transactions/sign-transaction.js';
import { signedTransaction, transaction, transactionBody } from '../src/wire/messages.js';
import { encode } from '../src/wire/protobuf.js';
import { ed25519Signer } from '../src/wire/signer.js';

interface Golden {
  readonly transactions: readonly { readonly operation: Operation; readonly bytes: string }[];
  readonly answers: readonly { readonly status: string; readonly bytes: string }[];
}

const golden = JSON.parse(await readFile(new URL('golden/sdk-bytes.json', import.meta.url), 'utf8')) as Golden;

const signedOf = (bytes: string) =>
  signedTransaction.decode(transaction.decode(Buffer.from(bytes, 'base64')).signed ?? new Uint8Array());
/** Without the defaults that the client writes, and what it adds that is not used here. */
const canonical = (body: Uint8Array | undefined): string =>
  Buffer.from(encode(transactionBody, transactionBody.decode(body ?? new Uint8Array()))).toString('hex');

test.each(golden.transactions)('$operation.type', async ({ operation, bytes }) => {
  const [copy] = await signTransaction(operation, {
    operator: { account: '0.0.1002', signer: ed25519Signer('07'.repeat(32)) },
    nodes: ['0.0.3'],
    id: { payer: '0.0.1002', seconds: 1_767_225_600, nanos: 123_456_789 },
    validSeconds: 120,
    memo: 'a memo',
  });
  const [own, theirs] = [signedOf(copy?.bytes ?? ''), signedOf(bytes)];
  expect(canonical(own.body)).toBe(canonical(theirs.body));
  expect(Buffer.from(own.body ?? []).toString('hex')).toBe(canonical(own.body));
  expect(own.signatures?.pairs?.map(({ prefix }) => Buffer.from(prefix ?? []).toString('hex'))).toEqual(
    theirs.signatures?.pairs?.map(({ prefix }) => Buffer.from(prefix ?? []).toString('hex')),
  );
});

test.each(golden.answers)('a receipt: $status', async ({ bytes, ...expected }) => {
  const nodes = openNodes([{ account: '0.0.3', address: 'x:1' }], 1000, {
    call: () => Promise.resolve(Buffer.from(bytes, 'base64')),
    close: () => Promise.resolve(),
  });
  const outcome = await nodes.outcome('0.0.2@1.000000001');
  expect(typeof outcome === 'string' ? { status: outcome } : outcome).toEqual(expected);
});
