/** The consensus nodes: take transactions, and tell what became of them. */
import { parseTransactionId, toTransactionId, fromEntityId } from '../wire/ids.js';
import { query, response, transactionResponse, type Receipt } from '../wire/messages.js';
import { encode } from '../wire/protobuf.js';
import { statusName, statuses } from '../wire/statuses.js';
import type { GrpcCalls } from './grpc.js';

export interface NodeAddress {
  /** `host:port` of its gRPC service without encryption. */
  readonly address: string;
  /** Its account, `0.0.3`. */
  readonly account: string;
}

/** What became of a transaction. Entities are ids of the ledger. */
export interface Outcome {
  readonly status: string;
  readonly entity?: string;
  readonly sequenceNumber?: string;
  readonly serials?: readonly number[];
}

export interface Nodes {
  /** Accounts of the nodes that a transaction can be signed for. */
  readonly accounts: readonly string[];
  /** The precheck's answer, such as `OK` or `BUSY`. Rejects if there is none: it may have been accepted. */
  submit(node: string, method: string, bytes: Uint8Array): Promise<string>;
  /**
   * What became of the transaction, `pending` if it is on its way, `unknown` if no node remembers it: it never came or
   * was forgotten. Rejects if no node answers.
   */
  outcome(transactionId: string): Promise<Outcome | 'pending' | 'unknown'>;
  close(): Promise<void>;
}

export function openNodes(
  addresses: readonly NodeAddress[],
  timeoutMs: number,
  calls: Pick<GrpcCalls, 'call' | 'close'>,
): Nodes {
  const addressOf = new Map(addresses.map(({ account, address }) => [account, address]));
  const receiptFrom = async (address: string, id: string): Promise<Outcome | 'pending' | 'unknown'> => {
    const request = encode(query, { receipt: { header: {}, id: toTransactionId(parseTransactionId(id)) } });
    const bytes = await calls.call(address, '/proto.CryptoService/getTransactionReceipts', request, timeoutMs);
    const { header, receipt } = response.decode(bytes).receipt ?? {};
    const precheck = Number(header?.precheck ?? 0n);
    if (precheck === statuses.RECEIPT_NOT_FOUND) return 'unknown';
    if (precheck !== statuses.OK || receipt === undefined)
      throw new Error(`The node ${address} gives no receipt: ${statusName(header?.precheck)}.`);
    return Number(receipt.status ?? 0n) === statuses.UNKNOWN ? 'pending' : outcomeOf(receipt);
  };
  return {
    accounts: addresses.map(({ account }) => account),
    async submit(node, method, bytes) {
      const address = addressOf.get(node);
      if (address === undefined) throw new Error(`The node ${node} is not among the configured ones.`);
      return statusName(transactionResponse.decode(await calls.call(address, method, bytes, timeoutMs)).precheck ?? 0n);
    },
    async outcome(id) {
      let unknown: 'unknown' | undefined;
      let failure: unknown;
      for (const { address } of addresses) {
        try {
          const outcome = await receiptFrom(address, id);
          if (outcome !== 'unknown') return outcome;
          unknown = outcome;
        } catch (error) {
          failure = error;
        }
      }
      if (unknown !== undefined) return unknown;
      throw failure;
    },
    close: () => calls.close(),
  };
}

function outcomeOf({ status, topic, token, account, sequenceNumber, serials }: Receipt): Outcome {
  const entity = topic ?? token ?? account;
  return {
    status: statusName(status),
    ...(entity !== undefined && { entity: fromEntityId(entity) }),
    ...(sequenceNumber !== undefined && { sequenceNumber: String(sequenceNumber) }),
    ...(serials !== undefined && { serials: serials.map(Number) }),
  };
}
