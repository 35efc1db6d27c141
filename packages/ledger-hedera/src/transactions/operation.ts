/** What one transaction does, as data that a store can keep, and the part of its body that says so. */
import { toEntityId, toTransactionId, parseTransactionId } from '../wire/ids.js';
import type { TransactionBody } from '../wire/messages.js';
import type { Signer } from '../wire/signer.js';

/** The most serials of one mint, transfer or wipe. */
export const SERIALS_AT_MOST = 10;
/** The most bytes of a message in one transaction. */
export const CHUNK_BYTES = 1024;
/** The most bytes of a memo. */
export const MEMO_BYTES = 100;

/** Ids are those of the ledger, and amounts are units in decimal text. */
export type Operation =
  | { readonly type: 'create-topic'; readonly memo: string }
  | {
      readonly type: 'submit-message';
      readonly topic: string;
      /** ASCII, so that a reader that decodes chunk by chunk reads the same. */
      readonly text: string;
      readonly number: number;
      readonly total: number;
      /** The transaction of the first chunk; absent in the first chunk itself. */
      readonly initial?: string;
      /** The pieces after the first one; only with the first. */
      readonly rest?: readonly string[];
    }
  | {
      readonly type: 'create-token';
      readonly name: string;
      readonly symbol: string;
      readonly decimals: number;
      readonly isFungible: boolean;
      readonly memo: string;
      /** Keys besides the admin and supply keys: one that is left out can never be added. */
      readonly keys: readonly ('kyc' | 'freeze' | 'wipe')[];
    }
  | {
      readonly type: 'associate' | 'dissociate' | 'freeze' | 'unfreeze' | 'grant-kyc' | 'revoke-kyc';
      readonly token: string;
      readonly account: string;
    }
  | { readonly type: 'mint'; readonly token: string; readonly units: string }
  | { readonly type: 'mint-serials'; readonly token: string; readonly metadata: string; readonly count: number }
  | {
      readonly type: 'transfer';
      readonly token: string;
      readonly from: string;
      readonly to: string;
      readonly units: string;
    }
  | {
      readonly type: 'transfer-serials';
      readonly token: string;
      readonly from: string;
      readonly to: string;
      readonly serials: readonly number[];
    }
  | { readonly type: 'wipe'; readonly token: string; readonly account: string; readonly units: string }
  | {
      readonly type: 'wipe-serials';
      readonly token: string;
      readonly account: string;
      readonly serials: readonly number[];
    }
  | { readonly type: 'create-account'; readonly memo: string };

export type OperationType = Operation['type'];

/** Where each operation is sent, and the most that it may cost in tinybars: about three times the usual fee. */
interface Route {
  readonly method: string;
  readonly maxFee: bigint;
}

const HBAR = 100_000_000n;
const token = (method: string, maxFee: bigint): Route => ({ method: `/proto.TokenService/${method}`, maxFee });

export const routes: Readonly<Record<OperationType, Route>> = {
  'create-topic': { method: '/proto.ConsensusService/createTopic', maxFee: 2n * HBAR },
  'submit-message': { method: '/proto.ConsensusService/submitMessage', maxFee: HBAR / 2n },
  'create-token': token('createToken', 60n * HBAR),
  associate: token('associateTokens', 3n * HBAR),
  dissociate: token('dissociateTokens', 3n * HBAR),
  freeze: token('freezeTokenAccount', HBAR),
  unfreeze: token('unfreezeTokenAccount', HBAR),
  'grant-kyc': token('grantKycToTokenAccount', HBAR),
  'revoke-kyc': token('revokeKycFromTokenAccount', HBAR),
  mint: token('mintToken', HBAR),
  'mint-serials': token('mintToken', 15n * HBAR),
  transfer: { method: '/proto.CryptoService/cryptoTransfer', maxFee: HBAR },
  'transfer-serials': { method: '/proto.CryptoService/cryptoTransfer', maxFee: 5n * HBAR },
  wipe: token('wipeTokenAccount', HBAR),
  'wipe-serials': token('wipeTokenAccount', 5n * HBAR),
  'create-account': { method: '/proto.CryptoService/createAccount', maxFee: 5n * HBAR },
};

/** Ninety days: topics, tokens and accounts are renewed at the operator's cost after each. */
const renewal = { seconds: 7_776_000n };

export interface Operator {
  readonly account: string;
  readonly signer: Pick<Signer, 'type' | 'publicKey'>;
}
type Data = Omit<TransactionBody, 'id' | 'node' | 'maxFee' | 'validDuration' | 'memo'>;

/** The operator is the treasury, and holds every key. `id` is the transaction's own. */
export function dataOf(operation: Operation, operator: Operator, id: string): Data {
  const key = { [operator.signer.type]: operator.signer.publicKey };
  const account = toEntityId(operator.account);
  switch (operation.type) {
    case 'create-topic':
      return {
        createTopic: {
          memo: operation.memo,
          adminKey: key,
          submitKey: key,
          autoRenewPeriod: renewal,
          autoRenewAccount: account,
        },
      };
    case 'submit-message':
      return { submitMessage: messageOf(operation, id) };
    case 'create-token': {
      const has = (name: 'kyc' | 'freeze' | 'wipe'): boolean => operation.keys.includes(name);
      return {
        createToken: {
          name: operation.name,
          symbol: operation.symbol,
          decimals: BigInt(operation.decimals),
          treasury: account,
          adminKey: key,
          supplyKey: key,
          ...(has('kyc') && { kycKey: key }),
          ...(has('freeze') && { freezeKey: key }),
          ...(has('wipe') && { wipeKey: key }),
          autoRenewAccount: account,
          autoRenewPeriod: renewal,
          memo: operation.memo,
          tokenType: operation.isFungible ? 0n : 1n,
        },
      };
    }
    case 'associate':
    case 'dissociate':
      return { [operation.type]: { account: toEntityId(operation.account), tokens: [toEntityId(operation.token)] } };
    case 'freeze':
      return { freeze: relationOf(operation) };
    case 'unfreeze':
      return { unfreeze: relationOf(operation) };
    case 'grant-kyc':
      return { grantKyc: relationOf(operation) };
    case 'revoke-kyc':
      return { revokeKyc: relationOf(operation) };
    case 'mint':
      return { mint: { token: toEntityId(operation.token), amount: BigInt(operation.units) } };
    case 'mint-serials': {
      const metadata = Buffer.from(operation.metadata, 'utf8');
      return {
        mint: { token: toEntityId(operation.token), metadata: Array<Uint8Array>(operation.count).fill(metadata) },
      };
    }
    case 'transfer':
    case 'transfer-serials':
      return { transfer: { tokens: [movementOf(operation)] } };
    case 'wipe':
      return { wipe: { ...relationOf(operation), amount: BigInt(operation.units) } };
    case 'wipe-serials':
      return { wipe: { ...relationOf(operation), serials: operation.serials.map(BigInt) } };
    case 'create-account':
      return { createAccount: { key, autoRenewPeriod: renewal, memo: operation.memo, autoAssociations: -1n } };
  }
}

const relationOf = ({ token: id, account }: { readonly token: string; readonly account: string }) => ({
  token: toEntityId(id),
  account: toEntityId(account),
});

/** A message in one piece is chunk 1 of 1, as the network's own client sends it. */
function messageOf(
  { topic, text, number, total, initial }: Extract<Operation, { type: 'submit-message' }>,
  id: string,
): NonNullable<Data['submitMessage']> {
  return {
    topic: toEntityId(topic),
    message: Buffer.from(text, 'ascii'),
    chunk: {
      initial: toTransactionId(parseTransactionId(initial ?? id)),
      total: BigInt(total),
      number: BigInt(number),
    },
  };
}

function movementOf(operation: Extract<Operation, { type: 'transfer' | 'transfer-serials' }>) {
  const [from, to] = [toEntityId(operation.from), toEntityId(operation.to)];
  const tokenId = toEntityId(operation.token);
  if (operation.type === 'transfer-serials')
    return { token: tokenId, serials: operation.serials.map((serial) => ({ from, to, serial: BigInt(serial) })) };
  const units = BigInt(operation.units);
  return {
    token: tokenId,
    amounts: [
      { account: from, amount: -units },
      { account: to, amount: units },
    ],
  };
}
