/** Nodes and a mirror over a fake ledger: what they answer to bytes and paths, with faults, with or without sockets. */
import { fromEntityId, parseTransactionId, toEntityId, transactionIdText } from '../../src/wire/ids.js';
import { query, response, transactionResponse } from '../../src/wire/messages.js';
import { encode } from '../../src/wire/protobuf.js';
import { statuses } from '../../src/wire/statuses.js';
import { timestampOf, type FakeLedger, type FakeTransaction, type Status } from './fake-ledger.js';

/**
 * What happens to a call: `busy` and `throttled` are answers; `unavailable` fails before it is carried out, `lost` after;
 * `silent` is carried out and never answered.
 */
export type Fault = 'none' | 'busy' | 'unavailable' | 'lost' | 'silent';

/** Thrown in place of an answer. */
export class Lost extends Error {
  constructor(readonly isSilent: boolean) {
    super('the answer was lost');
  }
}

export class FakeNetwork {
  /** Of the next calls to nodes, and of the next ones to the mirror. */
  nextFault: (kind: 'submit' | 'receipt' | 'mirror', node: string) => Fault = () => 'none';
  /** Milliseconds that the mirror is behind. */
  mirrorLagMs = 0;
  /** What the mirror says instead of the truth about results. */
  mirrorLies: Status | null = null;
  submissions = 0;

  constructor(readonly ledger: FakeLedger) {}

  /** The answer of a node to a call. Throws `Lost`. */
  node(account: string, method: string, message: Uint8Array): Uint8Array {
    if (method.endsWith('/getTransactionReceipts')) return this.#receipt(account, message);
    const fault = this.nextFault('submit', account);
    if (fault === 'unavailable') throw new Lost(false);
    if (fault === 'busy') return precheck('BUSY');
    this.submissions += 1;
    const answer = precheck(this.ledger.submit(account, message));
    if (fault === 'lost' || fault === 'silent') throw new Lost(fault === 'silent');
    return answer;
  }

  #receipt(account: string, message: Uint8Array): Uint8Array {
    const fault = this.nextFault('receipt', account);
    if (fault !== 'none') throw new Lost(fault === 'silent');
    const id = query.decode(message).receipt?.id;
    const { seconds = 0n, nanos = 0n } = id?.validStart ?? {};
    const payer = fromEntityId(id?.payer ?? {});
    const found = this.ledger.receiptOf(transactionIdText({ payer, seconds: Number(seconds), nanos: Number(nanos) }));
    const header = { precheck: BigInt(found === undefined ? statuses.RECEIPT_NOT_FOUND : statuses.OK) };
    if (found === undefined) return encode(response, { receipt: { header } });
    const receipt = found === 'pending' ? { status: BigInt(statuses.UNKNOWN) } : receiptOf(found);
    return encode(response, { receipt: { header, receipt } });
  }

  /** The answer of the mirror to a path below `/api/v1/`. Throws `Lost`. */
  mirror(path: string): { readonly status: number; readonly body: string } {
    const fault = this.nextFault('mirror', '');
    if (fault === 'busy') return { status: 429, body: '{}' };
    if (fault !== 'none') throw new Lost(fault === 'silent');
    const found = this.#found(path);
    return found === undefined ? { status: 404, body: '{}' } : { status: 200, body: JSON.stringify(found) };
  }

  #found(path: string): unknown {
    const horizon = BigInt(Math.round((this.ledger.now() - this.mirrorLagMs) * 1e6));
    const [, id = ''] = /^transactions\/(.+)$/.exec(path) ?? [];
    if (path.startsWith('blocks')) return { blocks: [{ timestamp: { to: timestampOf(horizon) } }] };
    if (id !== '') {
      const [payer = '', seconds = '', nanos = ''] = id.split('-');
      const known = this.ledger.byId.get(`${payer}@${seconds}.${nanos}`) ?? [];
      const rows = known.filter(({ at }) => at <= horizon);
      return rows.length === 0 ? undefined : { transactions: rows.map((row) => this.#row(row)) };
    }
    const [, account, token = ''] = /^accounts\/([\d.]+)\/tokens\?token\.id=([\d.]+)$/.exec(path) ?? [];
    if (account !== undefined) {
      const relation = this.ledger.tokens.get(token)?.relations.get(account);
      const { keys } = this.ledger.tokens.get(token) ?? {};
      const kyc = keys?.kyc === '' ? 'NOT_APPLICABLE' : relation?.hasKyc === true ? 'GRANTED' : 'REVOKED';
      return { tokens: relation === undefined ? [] : [{ token_id: token, kyc_status: kyc }] };
    }
    const [, asked = ''] = /^accounts\/([\d.]+)\?transactions=false$/.exec(path) ?? [];
    return this.ledger.accounts.has(asked) ? { account: asked } : undefined;
  }

  #row({ id, result, at, entity, serials }: FakeTransaction): unknown {
    const { payer, seconds, nanos } = parseTransactionId(id);
    return {
      transaction_id: `${payer}-${String(seconds)}-${String(nanos).padStart(9, '0')}`,
      result: this.mirrorLies ?? result,
      consensus_timestamp: timestampOf(at),
      entity_id: entity,
      charged_tx_fee: 84_000,
      nft_transfers: serials.map((serial) => ({ serial_number: serial })),
    };
  }
}

const precheck = (status: Status): Uint8Array => encode(transactionResponse, { precheck: BigInt(statuses[status]) });

/** A receipt names the entity that was made; one that was only used is not in it. */
const receiptOf = ({ result, kind, entity, serials }: FakeTransaction) => ({
  status: BigInt(statuses[result]),
  ...(entity !== null && kind === 'createTopic' && { topic: toEntityId(entity) }),
  ...(entity !== null && kind === 'createToken' && { token: toEntityId(entity) }),
  ...(entity !== null && kind === 'createAccount' && { account: toEntityId(entity) }),
  ...(serials.length > 0 && { serials: serials.map(BigInt) }),
});
