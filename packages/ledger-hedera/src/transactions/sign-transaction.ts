/** Makes the bytes of a transaction: one signed copy for each node that may be asked to carry it out. */
import { toEntityId, toTransactionId, transactionIdText, type TransactionId } from '../wire/ids.js';
import { signedTransaction, transaction, transactionBody } from '../wire/messages.js';
import { encode } from '../wire/protobuf.js';
import type { Signer } from '../wire/signer.js';
import { dataOf, MEMO_BYTES, routes, type Operation } from './operation.js';

/** The most bytes of a transaction with its signatures. */
const TRANSACTION_BYTES = 6144;

export interface SigningFacts {
  readonly operator: { readonly account: string; readonly signer: Signer };
  /** The accounts of the nodes. */
  readonly nodes: readonly string[];
  readonly id: TransactionId;
  readonly validSeconds: number;
  readonly memo: string;
}

export interface SignedCopy {
  readonly node: string;
  /** Base64. */
  readonly bytes: string;
}

export async function signTransaction(operation: Operation, facts: SigningFacts): Promise<SignedCopy[]> {
  const { operator, nodes, id, validSeconds, memo } = facts;
  const data = dataOf(operation, operator, transactionIdText(id));
  return Promise.all(
    nodes.map(async (node) => {
      const body = encode(transactionBody, {
        id: toTransactionId(id),
        node: toEntityId(node),
        maxFee: routes[operation.type].maxFee,
        validDuration: { seconds: BigInt(validSeconds) },
        memo: cut(memo, MEMO_BYTES),
        ...data,
      });
      return { node, bytes: Buffer.from(await signed(body, operator.signer)).toString('base64') };
    }),
  );
}

async function signed(body: Uint8Array, signer: Signer): Promise<Uint8Array> {
  const pair = { prefix: signer.publicKey, [signer.type]: await signer.sign(body) };
  const bytes = encode(transaction, { signed: encode(signedTransaction, { body, signatures: { pairs: [pair] } }) });
  if (bytes.length > TRANSACTION_BYTES)
    throw new Error(
      `The transaction has ${String(bytes.length)} bytes, more than the ${String(TRANSACTION_BYTES)} that the ledger takes.`,
    );
  return bytes;
}

/** The longest start of a text that fits, without half a character. */
export function cut(text: string, most: number): string {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= most) return text;
  return bytes
    .subarray(0, most)
    .toString('utf8')
    .replace(/\uFFFD+$/, '');
}
