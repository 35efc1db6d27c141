/** The messages of the network's interface that are used here, with the field numbers of its protocol buffers. */
import { bytes, int, many, message, one, sint, text, type Value } from './protobuf.js';

/** Accounts, tokens, topics and files: all are numbered alike. */
export const entityIdType = message({ shard: one(1, int), realm: one(2, int), num: one(3, int) });
const timestamp = message({ seconds: one(1, int), nanos: one(2, int) });
const duration = message({ seconds: one(1, int) });
export const transactionIdType = message({ validStart: one(1, timestamp), payer: one(2, entityIdType) });
const key = message({ ed25519: one(2, bytes), secp256k1: one(7, bytes) });

const createTopic = message({
  memo: one(1, text),
  adminKey: one(2, key),
  submitKey: one(3, key),
  autoRenewPeriod: one(6, duration),
  autoRenewAccount: one(7, entityIdType),
});
const chunkInfo = message({ initial: one(1, transactionIdType), total: one(2, int), number: one(3, int) });
const submitMessage = message({
  topic: one(1, entityIdType),
  message: one(2, bytes),
  chunk: one(3, chunkInfo),
});
const createToken = message({
  name: one(1, text),
  symbol: one(2, text),
  decimals: one(3, int),
  treasury: one(5, entityIdType),
  adminKey: one(6, key),
  kycKey: one(7, key),
  freezeKey: one(8, key),
  wipeKey: one(9, key),
  supplyKey: one(10, key),
  autoRenewAccount: one(14, entityIdType),
  autoRenewPeriod: one(15, duration),
  memo: one(16, text),
  tokenType: one(17, int),
});
const accountTokens = message({ account: one(1, entityIdType), tokens: many(2, entityIdType) });
const tokenAccount = message({ token: one(1, entityIdType), account: one(2, entityIdType) });
const mintToken = message({ token: one(1, entityIdType), amount: one(2, int), metadata: many(3, bytes) });
const wipeToken = message({
  token: one(1, entityIdType),
  account: one(2, entityIdType),
  amount: one(3, int),
  serials: many(4, int),
});
const createAccount = message({
  key: one(1, key),
  initialBalance: one(2, int),
  autoRenewPeriod: one(9, duration),
  memo: one(13, text),
  autoAssociations: one(14, int),
});
const accountAmount = message({ account: one(1, entityIdType), amount: one(2, sint) });
const nftTransfer = message({ from: one(1, entityIdType), to: one(2, entityIdType), serial: one(3, int) });
const tokenTransfers = message({
  token: one(1, entityIdType),
  amounts: many(2, accountAmount),
  serials: many(3, nftTransfer),
});
const transfer = message({ tokens: many(2, tokenTransfers) });

export const transactionBody = message({
  id: one(1, transactionIdType),
  node: one(2, entityIdType),
  maxFee: one(3, int),
  validDuration: one(4, duration),
  memo: one(6, text),
  createAccount: one(11, createAccount),
  transfer: one(14, transfer),
  createTopic: one(24, createTopic),
  submitMessage: one(27, submitMessage),
  createToken: one(29, createToken),
  freeze: one(31, tokenAccount),
  unfreeze: one(32, tokenAccount),
  grantKyc: one(33, tokenAccount),
  revokeKyc: one(34, tokenAccount),
  mint: one(37, mintToken),
  wipe: one(39, wipeToken),
  associate: one(40, accountTokens),
  dissociate: one(41, accountTokens),
});
export type TransactionBody = Value<typeof transactionBody>;

const signaturePair = message({ prefix: one(1, bytes), ed25519: one(3, bytes), secp256k1: one(6, bytes) });
const signatureMap = message({ pairs: many(1, signaturePair) });
export const signedTransaction = message({ body: one(1, bytes), signatures: one(2, signatureMap) });
export const transaction = message({ signed: one(5, bytes) });

export const transactionResponse = message({ precheck: one(1, int), cost: one(2, int) });

const queryHeader = message({ responseType: one(2, int) });
const responseHeader = message({ precheck: one(1, int) });
const receipt = message({
  status: one(1, int),
  account: one(2, entityIdType),
  topic: one(6, entityIdType),
  sequenceNumber: one(7, int),
  token: one(10, entityIdType),
  totalSupply: one(11, int),
  serials: many(14, int),
});
export type Receipt = Value<typeof receipt>;
const receiptQuery = message({ header: one(1, queryHeader), id: one(2, transactionIdType) });
const receiptAnswer = message({ header: one(1, responseHeader), receipt: one(2, receipt) });
export const query = message({ receipt: one(14, receiptQuery) });
export const response = message({ receipt: one(14, receiptAnswer) });
