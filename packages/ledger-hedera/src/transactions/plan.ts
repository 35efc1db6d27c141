/**
 * The transactions of an effect, one after the other: each is planned when those before it are confirmed, because it may
 * need what they gave (a topic's id, serial numbers).
 */
import type { LedgerEffect, LedgerMessage, SerialRange } from '@blockwork/core';
import { chunksOf, memberOf, messageText, textAt } from '../forms/message-form.js';
import type { MirrorTransaction } from '../network/mirror.js';
import { SERIALS_AT_MOST, type Operation } from './operation.js';
import { isOfPolicy, nextLink, policyContent, policyTopicOf } from './plan-policy.js';
import { nextOfTopic, topicMappings } from './plan-topics.js';
import { bare, type EffectFacts, onLedger, type PlanDeps, type Planned } from './planned.js';
import type { Mapped, Mapping, TransactionRow } from './row.js';
import { NotYet } from './not-yet.js';
import { cut } from './sign-transaction.js';

const has = ({ done }: EffectFacts, type: Operation['type']): boolean =>
  done.some(({ operation }) => operation.type === type);

/** The next transaction, or `undefined` if the effect is complete. */
export async function nextTransaction(facts: EffectFacts, deps: PlanDeps): Promise<Planned | undefined> {
  const { effect } = facts;
  switch (effect.type) {
    case 'create-topic':
      return nextOfTopic(facts, deps);
    case 'message':
      return nextOfMessage(facts, deps);
    case 'create-token':
      return (await tokenOnLedger(effect.tokenId ?? '', deps)) === undefined ? createToken(facts) : undefined;
    default:
      return nextOfToken(facts, deps);
  }
}

/** What else is known once the transaction is confirmed: the ids that the ledger gave. */
export function mappingsOf(facts: EffectFacts, row: TransactionRow, entry: MirrorTransaction): Mapping[] {
  const { effect, done, toolsHere = [] } = facts;
  const { operation } = row;
  const map = (of: Mapped, local: string | undefined, ledger: string | null): Mapping[] =>
    local === undefined || ledger === null ? [] : [{ of, local, ledger }];
  switch (operation.type) {
    case 'create-topic':
      return topicMappings(facts, row, entry);
    case 'create-token':
      return map('token', effect.tokenId, entry.entity);
    case 'create-account':
      return map('account', operation.memo, entry.entity);
    case 'submit-message':
      if (effect.type !== 'message') return topicMappings(facts, row, entry);
      if (done.length > 0) return [];
      return [
        ...map('message', effect.messageId, entry.consensusAt),
        ...toolsHere.flatMap(({ name, publishedAs }) => map('policy-tool', name, publishedAs)),
      ];
    case 'mint-serials': {
      const before = done.reduce((sum, { operation: o }) => sum + (o.type === 'mint-serials' ? o.count : 0), 0);
      const local = serialsOf(effect).slice(before, before + operation.count);
      const serials = row.outcome?.serials ?? [];
      return local.flatMap((serial, place) =>
        map('serial', `${effect.tokenId ?? ''}/${String(serial)}`, String(serials[place] ?? '')),
      );
    }
    default:
      return [];
  }
}

async function nextOfMessage(facts: EffectFacts, deps: PlanDeps): Promise<Planned | undefined> {
  const { effect, message, document, done } = facts;
  const [first] = done;
  if (message === null) throw new Error(`The message of the effect "${effect.id}" is not known.`);
  if (first === undefined) {
    if (isOfPolicy(message)) {
      const content = await policyContent(facts, message, deps);
      return content && firstPiece(await policyTopicOf(message.topicId, deps), content.text, content.memo);
    }
    const topic = await deps.idOf('topic', message.topicId);
    if (topic === undefined) throw new Error(`The topic ${message.topicId} of the book is not on the ledger.`);
    return firstPiece(topic, await textOf(effect, message, document, deps), await memoOf(message.memo, deps));
  }
  const { operation } = first;
  if (operation.type !== 'submit-message') return undefined;
  if (done.length >= operation.total) return nextLink(facts, message, operation.total, deps);
  const text = operation.rest?.[done.length - 1] ?? '';
  const { topic, total } = operation;
  return piece({ topic, text, number: done.length + 1, total, initial: first.transactionId }, first.memo);
}

/** All pieces are kept with the first: later ones must be cut from the same text. */
function firstPiece(topic: string, whole: string, memo: string): Planned {
  const [text = '', ...rest] = chunksOf(whole);
  return piece({ topic, text, number: 1, total: rest.length + 1, rest }, memo);
}

const piece = (facts: Omit<Extract<Operation, { type: 'submit-message' }>, 'type'>, memo: string): Planned => ({
  operation: { type: 'submit-message', ...facts },
  memo,
});

async function textOf(
  effect: LedgerEffect,
  message: LedgerMessage,
  document: string | null,
  deps: PlanDeps,
): Promise<string> {
  const { body } = message;
  const parents = memberOf(body, 'parentIds') ?? memberOf(body, 'parents');
  const revoked = textAt(body, 'revoke');
  const tokenId = textAt(body, 'tokenId');
  return messageText(message, {
    effectId: effect.id,
    relationships: await onLedger(message.relationships, deps),
    target: revoked === '' ? await tokenOnLedger(tokenId, deps) : await deps.idOf('message', revoked),
    parents: await onLedger(Array.isArray(parents) ? parents.filter((id) => typeof id === 'string') : [], deps),
    cid: document === null ? null : await deps.storeFile(Buffer.from(document, 'utf8')),
  });
}

const MESSAGE_ID = /\b\d{10,12}\.\d{9}\b/g;

/** With the ledger's ids in place of the book's. */
async function memoOf(memo: string, { idOf }: PlanDeps): Promise<string> {
  const ids = new Map<string, string>();
  for (const [id] of memo.matchAll(MESSAGE_ID)) ids.set(id, (await idOf('message', id)) ?? id);
  return memo.replace(MESSAGE_ID, (id) => ids.get(id) ?? id);
}

async function tokenOnLedger(tokenId: string, { idOf, tokens }: PlanDeps): Promise<string | undefined> {
  return tokens[tokenId] ?? (await idOf('token', tokenId));
}

function createToken({ effect, token }: EffectFacts): Planned {
  const source = token?.source ?? memberOf(effect.body, 'source');
  const facts = token ?? effect.body;
  const text = (name: 'tokenName' | 'tokenSymbol' | 'tokenType'): string => token?.[name] ?? textAt(effect.body, name);
  const wishes = (flag: string, key: string): boolean => {
    const wish = memberOf(source, flag) ?? memberOf(source, key);
    return wish !== undefined && wish !== null && wish !== false && wish !== '';
  };
  return bare({
    type: 'create-token',
    name: cut(text('tokenName'), 100),
    symbol: cut(text('tokenSymbol') || text('tokenName'), 100),
    decimals: Number(memberOf(facts as never, 'decimals') ?? 0),
    isFungible: text('tokenType') !== 'non-fungible',
    memo: '',
    keys: [
      ...(wishes('enableKYC', 'kycKey') ? (['kyc'] as const) : []),
      ...(wishes('enableFreeze', 'freezeKey') ? (['freeze'] as const) : []),
      ...(wishes('enableWipe', 'wipeKey') ? (['wipe'] as const) : []),
    ],
  });
}

/** The token and the accounts are there first; then what the effect does. */
async function nextOfToken(facts: EffectFacts, deps: PlanDeps): Promise<Planned | undefined> {
  const { effect } = facts;
  const token = await tokenOnLedger(effect.tokenId ?? '', deps);
  if (token === undefined) return createToken(facts);
  const [account, from] = [await accountOf(effect.accountId, deps), await accountOf(effect.fromAccountId, deps)];
  if (account === undefined) return createAccount(effect.accountId);
  if (from === undefined) return createAccount(effect.fromAccountId);
  const parties = { token, account, from: effect.type === 'mint' ? deps.operatorAccount : from };
  switch (effect.type) {
    case 'mint':
    case 'transfer':
      return (await nextOfRelation(facts, deps, parties)) ?? nextOfMovement(facts, deps, parties);
    case 'wipe':
      return nextOfWipe(facts, deps, parties);
    case 'associate':
    case 'dissociate':
      return nextOfAssociation(facts, deps, parties);
    default:
      return has(facts, effect.type as 'freeze') ? undefined : bare({ type: effect.type as 'freeze', token, account });
  }
}

interface Parties {
  readonly token: string;
  readonly account: string;
  readonly from: string;
}

/** `''` if the effect names none. */
async function accountOf(local: string | undefined, { createsAccounts, idOf }: PlanDeps): Promise<string | undefined> {
  if (local === undefined || local === '') return '';
  return createsAccounts ? idOf('account', local) : local;
}

const createAccount = (local: string | undefined): Planned => bare({ type: 'create-account', memo: local ?? '' });

/**
 * The book lets an account receive whose KYC is undecided; the network does not. The operator grants it: what the book
 * refuses never gets here.
 */
async function nextOfRelation(
  facts: EffectFacts,
  { mirror, operatorAccount, createsAccounts }: PlanDeps,
  { token, account }: Parties,
): Promise<Planned | undefined> {
  if (account === operatorAccount || facts.done.some(isMovement) || has(facts, 'grant-kyc')) return undefined;
  const relation = await mirror.relation(account, token);
  if (relation === undefined && createsAccounts && !has(facts, 'associate'))
    return bare({ type: 'associate', token, account });
  const isGranted = relation?.hasKyc ?? true;
  return isGranted ? undefined : bare({ type: 'grant-kyc', token, account });
}

const isMovement = ({ operation: { type } }: TransactionRow): boolean =>
  type === 'mint' || type === 'mint-serials' || type === 'transfer' || type === 'transfer-serials';

async function nextOfMovement(facts: EffectFacts, deps: PlanDeps, parties: Parties): Promise<Planned | undefined> {
  const { effect, done } = facts;
  const memo = await memoOf(effect.memo ?? '', deps);
  const { token, account: to, from } = parties;
  const units = effect.units ?? '0';
  if (effect.serials === undefined) {
    if (units === '0') return undefined;
    if (effect.type === 'mint' && !has(facts, 'mint')) return { operation: { type: 'mint', token, units }, memo };
    if (from === to || has(facts, 'transfer')) return undefined;
    return { operation: { type: 'transfer', token, from, to, units }, memo };
  }
  const count = (type: Operation['type']): number =>
    done.reduce((sum, { operation }) => sum + (operation.type === type ? serialCount(operation) : 0), 0);
  const all = serialsOf(effect);
  const moved = count('transfer-serials');
  if (effect.type === 'mint') {
    const mintCount = count('mint-serials');
    const last = done.at(-1);
    if (from !== to && last?.operation.type === 'mint-serials')
      return { operation: { type: 'transfer-serials', token, from, to, serials: last.outcome?.serials ?? [] }, memo };
    if (mintCount === all.length) return undefined;
    const [metadata = memo] = memo.match(MESSAGE_ID) ?? [];
    const next = Math.min(SERIALS_AT_MOST, all.length - mintCount);
    return { operation: { type: 'mint-serials', token, metadata: cut(metadata, 100), count: next }, memo };
  }
  if (moved === all.length) return undefined;
  const serials = await ledgerSerials(effect, all.slice(moved, moved + SERIALS_AT_MOST), deps);
  return { operation: { type: 'transfer-serials', token, from, to, serials }, memo };
}

async function nextOfWipe(
  facts: EffectFacts,
  deps: PlanDeps,
  { token, account }: Parties,
): Promise<Planned | undefined> {
  const { effect, done } = facts;
  const memo = await memoOf(effect.memo ?? '', deps);
  const units = effect.units ?? '0';
  if (effect.serials === undefined)
    return has(facts, 'wipe') || units === '0'
      ? undefined
      : { operation: { type: 'wipe', token, account, units }, memo };
  const wiped = done.reduce((sum, { operation }) => sum + serialCount(operation), 0);
  const next = serialsOf(effect).slice(wiped, wiped + SERIALS_AT_MOST);
  if (next.length === 0) return undefined;
  const serials = await ledgerSerials(effect, next, deps);
  return { operation: { type: 'wipe-serials', token, account, serials }, memo };
}

const serialCount = (operation: Operation): number => {
  if (operation.type === 'mint-serials') return operation.count;
  return operation.type === 'transfer-serials' || operation.type === 'wipe-serials' ? operation.serials.length : 0;
};

/** Only the holder of an account's key can associate it. */
async function nextOfAssociation(
  facts: EffectFacts,
  { mirror, createsAccounts, operatorAccount }: PlanDeps,
  { token, account }: Parties,
): Promise<Planned | undefined> {
  const type = facts.effect.type as 'associate' | 'dissociate';
  if (has(facts, type) || account === operatorAccount) return undefined;
  const isWished = ((await mirror.relation(account, token)) !== undefined) === (type === 'associate');
  if (isWished) return undefined;
  if (createsAccounts) return bare({ type, token, account });
  throw new NotYet(`The account ${account} must ${type} the token ${token} itself: its key is not held here.`);
}

const serialsOf = ({ serials = [] }: LedgerEffect): number[] =>
  serials.flatMap(([first, last]: SerialRange) => Array.from({ length: last - first + 1 }, (_, at) => first + at));

async function ledgerSerials(
  { tokenId = '' }: LedgerEffect,
  serials: readonly number[],
  { idOf }: PlanDeps,
): Promise<number[]> {
  const ledgerIds = await Promise.all(serials.map((serial) => idOf('serial', `${tokenId}/${String(serial)}`)));
  return ledgerIds.map((id, place) => {
    if (id === undefined)
      throw new Error(`The serial ${String(serials[place])} of token ${tokenId} is not on the ledger.`);
    return Number(id);
  });
}
