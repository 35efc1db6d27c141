/** Nodes and a mirror over a fake ledger: what they answer to bytes and paths, with faults, with or without sockets. */
import { fromEntityId, parseTransactionId, toEntityId, transactionIdText } from '../../src/wire/ids.js';
import { query, response, transactionResponse } from '../../src/wire/messages.js';
import { encode } from '../../src/wire/protobuf.js';
import { statuses } from '../../src/wire/statuses.js';
import { FEE, timestampOf, type FakeLedger, type FakeTransaction, type Status } from './fake-ledger.js';

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
    const transaction = this.ledger.receiptOf(
      transactionIdText({ payer, seconds: Number(seconds), nanos: Number(nanos) }),
    );
    const header = { precheck: BigInt(transaction === undefined ? statuses.RECEIPT_NOT_FOUND : statuses.OK) };
    if (transaction === undefined) return encode(response, { receipt: { header } });
    const receipt = transaction === 'pending' ? { status: BigInt(statuses.UNKNOWN) } : receiptOf(transaction);
    return encode(response, { receipt: { header, receipt } });
  }

  /** The answer of the mirror to a path below `/api/v1/`. Throws `Lost`. */
  mirror(path: string): { readonly status: number; readonly body: string } {
    const fault = this.nextFault('mirror', '');
    if (fault === 'busy') return { status: 429, body: '{}' };
    if (fault !== 'none') throw new Lost(fault === 'silent');
    const reply = this.#found(path);
    return reply === undefined ? { status: 404, body: '{}' } : { status: 200, body: JSON.stringify(reply) };
  }

  #found(path: string): unknown {
    const horizon = BigInt(Math.round((this.ledger.now() - this.mirrorLagMs) * 1e6));
    const [, id = ''] = /^transactions\/(.+)$/.exec(path) ?? [];
    if (path.startsWith('blocks')) return { blocks: [{ timestamp: { to: timestampOf(horizon) } }] };
    if (id !== '') {
      const [payer = '', seconds = '', nanos = ''] = id.split('-');
      const transactions = this.ledger.byId.get(`${payer}@${seconds}.${nanos}`) ?? [];
      const rows = transactions.filter(({ at }) => at <= horizon);
      return rows.length === 0 ? undefined : { transactions: rows.map((row) => this.#row(row)) };
    }
    const [, account, token = ''] = /^accounts\/([\d.]+)\/tokens\?token\.id=([\d.]+)$/.exec(path) ?? [];
    if (account !== undefined) {
      const relation = this.ledger.tokens.get(token)?.relations.get(account);
      const { keys } = this.ledger.tokens.get(token) ?? {};
      const kyc = keys?.kyc === '' ? 'NOT_APPLICABLE' : relation?.hasKyc === true ? 'GRANTED' : 'REVOKED';
      const owned = [...(this.ledger.tokens.get(token)?.owners.values() ?? [])].filter((owner) => owner === account);
      const row = {
        token_id: token,
        kyc_status: kyc,
        freeze_status: relation?.isFrozen === true ? 'FROZEN' : 'UNFROZEN',
        balance: Number(relation?.balance ?? 0n) + owned.length,
      };
      return { tokens: relation === undefined ? [] : [row] };
    }
    const [, accountId = ''] = /^accounts\/([\d.]+)\?transactions=false$/.exec(path) ?? [];
    if (accountId !== '')
      return this.ledger.accounts.has(accountId)
        ? { account: accountId, balance: { balance: Number(this.ledger.balance) } }
        : undefined;
    return this.#token(path) ?? this.#messages(path, horizon);
  }

  #token(path: string): unknown {
    const [, id = '', owned] = /^tokens\/([\d.]+)(\/nfts\?.*)?$/.exec(path) ?? [];
    const token = this.ledger.tokens.get(id);
    if (token === undefined) return undefined;
    if (owned === undefined) return { token_id: id, total_supply: String(this.ledger.supply(id)) };
    const after = Number(/serialnumber=gt:(\d+)/.exec(owned)?.[1] ?? 0);
    const nfts = token.metadata
      .map((_, at) => ({ serial_number: at + 1, account_id: token.owners.get(at + 1) ?? null }))
      .map((nft) => ({ ...nft, deleted: nft.account_id === null }));
    return { nfts: nfts.filter((nft) => nft.serial_number > after).slice(0, 100) };
  }

  #messages(path: string, horizon: bigint): unknown {
    const [, id = '', query = ''] = /^topics\/([\d.]+)\/messages\?(.*)$/.exec(path) ?? [];
    const rows = [...this.ledger.topics].flatMap(([topic, { messages }]) =>
      messages.map((message, at) => ({
        topic_id: topic,
        consensus_timestamp: message.consensusAt,
        message: Buffer.from(message.text, 'utf8').toString('base64'),
        payer_account_id: message.payer,
        sequence_number: at + 1,
        chunk_info: {
          initial_transaction_id: transactionAt(message.initial),
          number: message.number,
          total: message.total,
        },
      })),
    );
    const shown = rows.filter(({ consensus_timestamp: at }) => BigInt(at.replace('.', '')) <= horizon);
    const [, timestamp = ''] = /^topics\/messages\/([\d.]+)$/.exec(path) ?? [];
    if (timestamp !== '') return shown.find(({ consensus_timestamp: at }) => at === timestamp);
    if (id === '') return undefined;
    const after = Number(/sequencenumber=gt:(\d+)/.exec(query)?.[1] ?? 0);
    const limit = Number(/limit=(\d+)/.exec(query)?.[1] ?? 25);
    const ofTopic = shown.filter(({ topic_id: topic, sequence_number: n }) => topic === id && n > after);
    return {
      messages: (query.includes('order=desc') ? ofTopic.reverse() : ofTopic).slice(0, limit),
      links: { next: null },
    };
  }

  #row({ id, result, at, entity, serials }: FakeTransaction): unknown {
    const { payer, seconds, nanos } = parseTransactionId(id);
    return {
      transaction_id: `${payer}-${String(seconds)}-${String(nanos).padStart(9, '0')}`,
      result: this.mirrorLies ?? result,
      consensus_timestamp: timestampOf(at),
      entity_id: entity,
      charged_tx_fee: Number(FEE),
      nft_transfers: serials.map((serial) => ({ serial_number: serial })),
    };
  }
}

/** As the mirror writes it. */
function transactionAt(id: string): unknown {
  const { payer, seconds, nanos } = parseTransactionId(id);
  return {
    account_id: payer,
    transaction_valid_start: `${String(seconds)}.${String(nanos).padStart(9, '0')}`,
    nonce: 0,
    scheduled: false,
  };
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
