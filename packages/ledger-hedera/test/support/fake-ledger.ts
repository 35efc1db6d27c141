/**
 * A ledger in memory that behaves like the network: prechecks, receipts that are forgotten, keys, consensus in order. Time
 * is the test's. Its bytes are the network's; the golden bytes of the official client hold their meaning.
 */
import { createPublicKey, verify } from 'node:crypto';
import { fromEntityId, transactionIdText } from '../../src/wire/ids.js';
import { signedTransaction, transaction, transactionBody, type TransactionBody } from '../../src/wire/messages.js';
import type { statuses } from '../../src/wire/statuses.js';

export type Status = keyof typeof statuses;

export interface FakeToken {
  readonly name: string;
  readonly isFungible: boolean;
  readonly keys: Readonly<Record<'kyc' | 'freeze' | 'wipe' | 'supply', string>>;
  readonly treasury: string;
  readonly relations: Map<string, { balance: bigint; isFrozen: boolean; hasKyc: boolean }>;
  readonly owners: Map<number, string>;
  readonly metadata: string[];
}

export interface FakeMessage {
  readonly text: string;
  readonly consensusAt: string;
  readonly payer: string;
  readonly initial: string;
  readonly number: number;
  readonly total: number;
}

export interface FakeTransaction {
  readonly id: string;
  readonly kind: string;
  readonly memo: string;
  readonly result: Status;
  readonly at: bigint;
  readonly entity: string | null;
  readonly serials: readonly number[];
}

/** Tinybars that every transaction costs here. */
export const FEE = 84_000n;
const RECEIPT_SECONDS = 180;
const NANOS = 1_000_000_000n;

export class FakeLedger {
  readonly accounts = new Map<string, { readonly key: string; readonly automatic: boolean }>();
  readonly topics = new Map<string, { readonly memo: string; readonly submitKey: string; messages: FakeMessage[] }>();
  readonly tokens = new Map<string, FakeToken>();
  readonly transactions: FakeTransaction[] = [];
  readonly byId = new Map<string, FakeTransaction[]>();
  /** Whether the operator can pay. */
  isFunded = true;
  /** Tinybars that the operator had at first. */
  funds = 100_000_000_000n;
  /** The next transactions that reach consensus end with these. */
  readonly nextResults: Status[] = [];
  readonly #receipts = new Map<string, FakeTransaction>();
  #entity = 1100;
  #at = 0n;

  constructor(
    /** Milliseconds of the network's clock. */
    readonly now: () => number,
    readonly nodeAccounts: readonly string[] = ['0.0.3', '0.0.4', '0.0.5'],
    /** Milliseconds to consensus. */
    public consensusMs = 0,
  ) {}

  addAccount(id: string, publicKey: Uint8Array, automatic = true): void {
    this.accounts.set(id, { key: hex(publicKey), automatic });
  }

  /** Tinybars that the operator has left. */
  get balance(): bigint {
    return (
      this.funds - FEE * BigInt(this.transactions.filter(({ result }) => result !== 'DUPLICATE_TRANSACTION').length)
    );
  }

  successes(kind?: string): FakeTransaction[] {
    return this.transactions.filter(
      ({ result, kind: k }) => result === 'SUCCESS' && (kind === undefined || k === kind),
    );
  }

  supply(tokenId: string): bigint {
    const token = this.tokens.get(tokenId);
    if (token === undefined) return 0n;
    return token.isFungible
      ? [...token.relations.values()].reduce((sum, { balance }) => sum + balance, 0n)
      : BigInt(token.owners.size);
  }

  /** Takes a transaction at a node; what it does is done at once, and told after `consensusMs`. */
  submit(node: string, bytes: Uint8Array): Status {
    if (bytes.length > 6144) return 'TRANSACTION_OVERSIZE';
    const { body: bodyBytes = new Uint8Array(), signatures } = signedTransaction.decode(
      transaction.decode(bytes).signed ?? new Uint8Array(),
    );
    const body = transactionBody.decode(bodyBytes);
    if (body.node === undefined || fromEntityId(body.node) !== node) return 'INVALID_NODE_ACCOUNT';
    if (Buffer.byteLength(body.memo ?? '') > 100) return 'MEMO_TOO_LONG';
    const { id, start, payer } = identified(body);
    const duration = Number(body.validDuration?.seconds ?? 0n);
    if (duration < 15 || duration > 180) return 'INVALID_TRANSACTION_DURATION';
    const now = this.now() / 1000;
    if (start > now) return 'INVALID_TRANSACTION_START';
    if (start + duration < now) return 'TRANSACTION_EXPIRED';
    const earlier = this.#receipt(id);
    // Another node hears of it only when it has reached consensus.
    if (earlier !== undefined && this.#isDecided(earlier)) return 'DUPLICATE_TRANSACTION';
    const account = this.accounts.get(payer);
    if (account === undefined) return 'PAYER_ACCOUNT_NOT_FOUND';
    const signers = (signatures?.pairs ?? [])
      .filter(({ prefix = new Uint8Array(), ed25519 = new Uint8Array() }) => isSigned(prefix, bodyBytes, ed25519))
      .map(({ prefix = new Uint8Array() }) => hex(prefix));
    if (!signers.includes(account.key)) return 'INVALID_SIGNATURE';
    if (!this.isFunded) return 'INSUFFICIENT_PAYER_BALANCE';
    this.#handle(id, body, new Set(signers), earlier !== undefined);
    return 'OK';
  }

  /** `undefined` if nothing is remembered, or no longer. */
  receiptOf(id: string): FakeTransaction | 'pending' | undefined {
    const receipt = this.#receipt(id);
    return receipt === undefined || this.#isDecided(receipt) ? receipt : 'pending';
  }

  #receipt(id: string): FakeTransaction | undefined {
    const receipt = this.#receipts.get(id);
    const isForgotten = receipt !== undefined && seconds(receipt.at) + RECEIPT_SECONDS < this.now() / 1000;
    return isForgotten ? undefined : receipt;
  }

  #isDecided({ at }: FakeTransaction): boolean {
    return seconds(at) <= this.now() / 1000;
  }

  #handle(id: string, body: TransactionBody, signers: ReadonlySet<string>, isDuplicate: boolean): void {
    const present = BigInt(Math.round((this.now() + this.consensusMs) * 1e6));
    this.#at = present > this.#at ? present : this.#at + 1n;
    const forced = this.nextResults.shift();
    const done: Done = isDuplicate
      ? { result: 'DUPLICATE_TRANSACTION' }
      : forced !== undefined
        ? { result: forced }
        : this.#apply(body, signers);
    const entry: FakeTransaction = {
      id,
      kind: kindOf(body),
      memo: body.memo ?? '',
      at: this.#at,
      entity: null,
      serials: [],
      ...done,
    };
    this.transactions.push(entry);
    this.byId.set(id, [...(this.byId.get(id) ?? []), entry]);
    // A node's own fault does not use up the id.
    if (!isDuplicate && entry.result !== 'INVALID_NODE_ACCOUNT') this.#receipts.set(id, entry);
  }

  #apply(body: TransactionBody, signers: ReadonlySet<string>): Done {
    const { createTopic, submitMessage, createToken, createAccount, mint, wipe, transfer } = body;
    if (createTopic !== undefined) {
      const entity = this.#nextEntity();
      const submitKey = hex(createTopic.submitKey?.ed25519);
      this.topics.set(entity, { memo: createTopic.memo ?? '', submitKey, messages: [] });
      return { result: 'SUCCESS', entity };
    }
    if (submitMessage !== undefined) return this.#message(submitMessage, signers, identified(body).payer);
    if (createAccount !== undefined) {
      const entity = this.#nextEntity();
      this.accounts.set(entity, {
        key: hex(createAccount.key?.ed25519),
        automatic: createAccount.autoAssociations !== undefined,
      });
      return { result: 'SUCCESS', entity };
    }
    if (createToken !== undefined) {
      const entity = this.#nextEntity();
      const treasury = idOf(createToken.treasury);
      this.tokens.set(entity, {
        name: createToken.name ?? '',
        isFungible: (createToken.tokenType ?? 0n) === 0n,
        treasury,
        keys: {
          kyc: hex(createToken.kycKey?.ed25519),
          freeze: hex(createToken.freezeKey?.ed25519),
          wipe: hex(createToken.wipeKey?.ed25519),
          supply: hex(createToken.supplyKey?.ed25519),
        },
        relations: new Map([[treasury, { balance: 0n, isFrozen: false, hasKyc: true }]]),
        owners: new Map(),
        metadata: [],
      });
      return { result: 'SUCCESS', entity };
    }
    if (mint !== undefined) return this.#mint(mint, signers);
    if (wipe !== undefined) return this.#wipe(wipe, signers);
    if (transfer !== undefined) return this.#transfer(transfer, signers);
    return this.#relate(body, signers);
  }

  #message(submit: NonNullable<TransactionBody['submitMessage']>, signers: ReadonlySet<string>, payer: string): Done {
    const topic = this.topics.get(idOf(submit.topic));
    const content = Buffer.from(submit.message ?? new Uint8Array());
    if (topic === undefined) return { result: 'INVALID_TOPIC_ID' };
    if (topic.submitKey !== '' && !signers.has(topic.submitKey)) return { result: 'INVALID_SIGNATURE' };
    if (content.length > 1024) return { result: 'MESSAGE_SIZE_TOO_LARGE' };
    const { initial, number = 0n, total = 0n } = submit.chunk ?? {};
    if (number < 1n || number > total) return { result: 'INVALID_CHUNK_NUMBER' };
    topic.messages.push({
      text: content.toString('utf8'),
      consensusAt: timestampOf(this.#at),
      payer,
      initial: initial === undefined ? '' : identified({ id: initial }).id,
      number: Number(number),
      total: Number(total),
    });
    return { result: 'SUCCESS', entity: idOf(submit.topic) };
  }

  #mint(mint: NonNullable<TransactionBody['mint']>, signers: ReadonlySet<string>): Done {
    const entity = idOf(mint.token);
    const token = this.tokens.get(entity);
    if (token === undefined) return { result: 'INVALID_TOKEN_ID' };
    if (!signers.has(token.keys.supply)) return { result: 'INVALID_SIGNATURE' };
    const { metadata = [] } = mint;
    if (metadata.length > 10) return { result: 'BATCH_SIZE_LIMIT_EXCEEDED' };
    if (metadata.some((each) => each.length > 100)) return { result: 'METADATA_TOO_LONG' };
    const treasury = this.#relation(entity, token.treasury);
    if (token.isFungible && treasury !== undefined) treasury.balance += mint.amount ?? 0n;
    const serials = metadata.map((each) => {
      token.metadata.push(Buffer.from(each).toString('utf8'));
      token.owners.set(token.metadata.length, token.treasury);
      return token.metadata.length;
    });
    return { result: 'SUCCESS', entity, serials };
  }

  #wipe(wipe: NonNullable<TransactionBody['wipe']>, signers: ReadonlySet<string>): Done {
    const [entity, account] = [idOf(wipe.token), idOf(wipe.account)];
    const token = this.tokens.get(entity);
    const relation = this.#relation(entity, account);
    if (token === undefined) return { result: 'INVALID_TOKEN_ID' };
    if (token.keys.wipe === '') return { result: 'TOKEN_HAS_NO_WIPE_KEY' };
    if (!signers.has(token.keys.wipe)) return { result: 'INVALID_SIGNATURE' };
    if (relation === undefined) return { result: 'TOKEN_NOT_ASSOCIATED_TO_ACCOUNT' };
    if (account === token.treasury) return { result: 'CANNOT_WIPE_TOKEN_TREASURY_ACCOUNT' };
    const serials = (wipe.serials ?? []).map(Number);
    if (serials.some((serial) => token.owners.get(serial) !== account))
      return { result: 'ACCOUNT_DOES_NOT_OWN_WIPED_NFT' };
    if ((wipe.amount ?? 0n) > relation.balance) return { result: 'INVALID_WIPING_AMOUNT' };
    relation.balance -= wipe.amount ?? 0n;
    for (const serial of serials) token.owners.delete(serial);
    return { result: 'SUCCESS', entity };
  }

  #transfer({ tokens = [] }: NonNullable<TransactionBody['transfer']>, signers: ReadonlySet<string>): Done {
    for (const { token: id, amounts = [], serials = [] } of tokens) {
      const entity = idOf(id);
      const token = this.tokens.get(entity);
      if (token === undefined) return { result: 'INVALID_TOKEN_ID' };
      if (serials.length > 10) return { result: 'BATCH_SIZE_LIMIT_EXCEEDED' };
      const senders = [
        ...serials.map(({ from }) => idOf(from)),
        ...amounts.filter(({ amount = 0n }) => amount < 0n).map(({ account }) => idOf(account)),
      ];
      const parties = [
        ...senders,
        ...serials.map(({ to }) => idOf(to)),
        ...amounts.map(({ account }) => idOf(account)),
      ];
      if (senders.some((sender) => !signers.has(this.accounts.get(sender)?.key ?? '')))
        return { result: 'INVALID_SIGNATURE' };
      for (const party of parties) {
        const relation = this.#relation(entity, party) ?? this.#associated(entity, party);
        if (relation === undefined) return { result: 'TOKEN_NOT_ASSOCIATED_TO_ACCOUNT' };
        if (relation.isFrozen) return { result: 'ACCOUNT_FROZEN_FOR_TOKEN' };
        if (!relation.hasKyc) return { result: 'ACCOUNT_KYC_NOT_GRANTED_FOR_TOKEN' };
      }
      if (serials.some(({ from, serial = 0n }) => token.owners.get(Number(serial)) !== idOf(from)))
        return { result: 'SENDER_DOES_NOT_OWN_NFT_SERIAL_NO' };
      if (
        amounts.some(({ account, amount = 0n }) => (this.#relation(entity, idOf(account))?.balance ?? 0n) + amount < 0n)
      )
        return { result: 'INSUFFICIENT_TOKEN_BALANCE' };
      for (const { account, amount = 0n } of amounts) {
        const relation = this.#relation(entity, idOf(account));
        if (relation !== undefined) relation.balance += amount;
      }
      for (const { to, serial = 0n } of serials) token.owners.set(Number(serial), idOf(to));
    }
    return { result: 'SUCCESS' };
  }

  #relate(
    { associate, dissociate, freeze, unfreeze, grantKyc, revokeKyc }: TransactionBody,
    signers: ReadonlySet<string>,
  ): Done {
    const own = associate ?? dissociate;
    if (own !== undefined) {
      const [entity, account] = [idOf(own.tokens?.[0]), idOf(own.account)];
      const relation = this.#relation(entity, account);
      if (!signers.has(this.accounts.get(account)?.key ?? '')) return { result: 'INVALID_SIGNATURE' };
      if (associate !== undefined) {
        if (relation !== undefined) return { result: 'TOKEN_ALREADY_ASSOCIATED_TO_ACCOUNT' };
        this.#associated(entity, account, true);
      } else {
        if (relation === undefined) return { result: 'TOKEN_NOT_ASSOCIATED_TO_ACCOUNT' };
        this.tokens.get(entity)?.relations.delete(account);
      }
      return { result: 'SUCCESS' };
    }
    const change = freeze ?? unfreeze ?? grantKyc ?? revokeKyc;
    const [entity, account] = [idOf(change?.token), idOf(change?.account)];
    const token = this.tokens.get(entity);
    const relation = this.#relation(entity, account);
    const isFreeze = freeze !== undefined || unfreeze !== undefined;
    const key = isFreeze ? token?.keys.freeze : token?.keys.kyc;
    if (token === undefined) return { result: 'INVALID_TOKEN_ID' };
    if (key === '' || key === undefined)
      return { result: isFreeze ? 'TOKEN_HAS_NO_FREEZE_KEY' : 'TOKEN_HAS_NO_KYC_KEY' };
    if (!signers.has(key)) return { result: 'INVALID_SIGNATURE' };
    if (relation === undefined) return { result: 'TOKEN_NOT_ASSOCIATED_TO_ACCOUNT' };
    if (isFreeze) relation.isFrozen = freeze !== undefined;
    else relation.hasKyc = grantKyc !== undefined;
    return { result: 'SUCCESS' };
  }

  #relation(token: string, account: string): { balance: bigint; isFrozen: boolean; hasKyc: boolean } | undefined {
    return this.tokens.get(token)?.relations.get(account);
  }

  #associated(
    tokenId: string,
    account: string,
    isAsked = false,
  ): { balance: bigint; isFrozen: boolean; hasKyc: boolean } | undefined {
    const token = this.tokens.get(tokenId);
    const recipient = this.accounts.get(account);
    if (token === undefined || recipient === undefined || (!recipient.automatic && !isAsked)) return undefined;
    const relation = { balance: 0n, isFrozen: false, hasKyc: token.keys.kyc === '' };
    token.relations.set(account, relation);
    return relation;
  }

  #nextEntity(): string {
    this.#entity += 1;
    return `0.0.${String(this.#entity)}`;
  }
}

interface Done {
  readonly result: Status;
  readonly entity?: string;
  readonly serials?: readonly number[];
}

const kinds = [
  'createAccount',
  'transfer',
  'createTopic',
  'submitMessage',
  'createToken',
  'freeze',
  'unfreeze',
  'grantKyc',
  'revokeKyc',
  'mint',
  'wipe',
  'associate',
  'dissociate',
] as const;
const kindOf = (body: TransactionBody): string => kinds.find((kind) => body[kind] !== undefined) ?? '';

function identified({ id = {} }: Pick<TransactionBody, 'id'>): { id: string; start: number; payer: string } {
  const payer = idOf(id.payer);
  const [whole, nanos] = [Number(id.validStart?.seconds ?? 0n), Number(id.validStart?.nanos ?? 0n)];
  return { id: transactionIdText({ payer, seconds: whole, nanos }), start: whole + nanos / 1e9, payer };
}

const idOf = (entity: Parameters<typeof fromEntityId>[0] | undefined): string => fromEntityId(entity ?? {});
const hex = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('hex');
const seconds = (at: bigint): number => Number(at / 1000n) / 1e6;
export const timestampOf = (at: bigint): string => `${String(at / NANOS)}.${String(at % NANOS).padStart(9, '0')}`;

const keys = new Map<string, ReturnType<typeof createPublicKey>>();
function isSigned(publicKey: Uint8Array, body: Uint8Array, signature: Uint8Array): boolean {
  const x = Buffer.from(publicKey).toString('base64url');
  const key = keys.get(x) ?? createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  keys.set(x, key);
  return verify(null, body, key, signature);
}
