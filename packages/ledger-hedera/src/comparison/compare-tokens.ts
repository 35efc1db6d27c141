/** Compares supplies, balances, states of accounts and owners of serials. */
import type { LedgerToken, TokenRelation } from '@blockwork/core';
import type { History } from '../network/history.js';
import type { Mirror } from '../network/mirror.js';
import type { Book } from './book.js';
import { Findings } from './findings.js';

export interface TokenFacts {
  /** Ids of the tokens that effects since then are about. */
  readonly changedSince: (book: Book) => Promise<ReadonlySet<string>>;
  readonly history: Pick<History, 'token' | 'owners'>;
  readonly mirror: Pick<Mirror, 'relation'>;
  readonly operatorAccount: string;
  /** Whether accounts of the book have others on the ledger. */
  readonly createsAccounts: boolean;
  /** Tokens that were on the ledger before: others may mint them as well. */
  readonly tokens: Readonly<Record<string, string>>;
}

export async function compareTokens(book: Book, facts: TokenFacts, findings: Findings): Promise<void> {
  const waiting = new Set(book.waiting.map(({ tokenId }) => tokenId));
  for (const token of book.tokens) {
    if (waiting.has(token.id)) {
      findings.note(`Token ${token.id} is not compared: effects on it wait to be settled.`);
      continue;
    }
    const ofToken = new Findings();
    await compareToken(token, book, facts, ofToken);
    // The book was read before the ledger, which is always in the present.
    if ((await facts.changedSince(book)).has(token.id))
      findings.note(`Token ${token.id} is not compared: it changed meanwhile. Compare it again.`);
    else findings.add(ofToken);
  }
}

async function compareToken(token: LedgerToken, book: Book, facts: TokenFacts, findings: Findings): Promise<void> {
  const { history, tokens } = facts;
  const isShared = tokens[token.id] !== undefined;
  const id = tokens[token.id] ?? book.idOf('token', token.id);
  const onLedger = id === undefined ? undefined : await history.token(id);
  findings.count('tokens');
  if (id === undefined || onLedger === undefined) {
    if (id === undefined && token.supply === '0') return;
    findings.differ({
      kind: 'token-missing',
      subject: id ?? token.id,
      book: `a supply of ${token.supply}`,
      ledger: 'no such token',
      remedy:
        'The policy minted before the ledger was used, or the store belongs to another network. Mint by hand what is owed, or name the token in `tokens`.',
    });
    return;
  }
  const [booked, actual] = [BigInt(token.supply), BigInt(onLedger.supply)];
  if (isShared && actual > booked)
    findings.note(`Of token ${id}, ${String(actual - booked)} units are not from this policy; it existed before.`);
  else if (actual !== booked)
    findings.differ({
      kind: 'supply',
      subject: id,
      book: token.supply,
      ledger: onLedger.supply,
      remedy:
        actual > booked
          ? 'Something else holds the supply key and minted, or the store is older than the ledger (a restored backup). Look for the mints whose memo names no message of the book, and wipe what is too much.'
          : 'Something else holds the wipe or supply key and destroyed units. Find out who, change the keys, and mint what is missing by hand.',
    });
  for (const relation of book.relations)
    if (relation.tokenId === token.id) await compareRelation(relation, id, book, facts, findings);
  if (token.tokenType === 'non-fungible') await compareSerials(token, id, book, facts, findings);
}

async function compareRelation(
  relation: TokenRelation,
  tokenId: string,
  book: Book,
  { mirror, operatorAccount, createsAccounts, tokens }: TokenFacts,
  findings: Findings,
): Promise<void> {
  const account = ledgerAccount(relation.accountId, book, createsAccounts);
  if (account === undefined && relation.balance === '0') return;
  const onLedger = account === undefined ? undefined : await mirror.relation(account, tokenId);
  findings.count('balances');
  const subject = `${account ?? relation.accountId} in ${tokenId}`;
  const balance = onLedger?.balance ?? '0';
  // The treasury may hold what others minted.
  const mayHaveMore = account === operatorAccount || tokens[relation.tokenId] !== undefined;
  if (BigInt(balance) > BigInt(relation.balance) && mayHaveMore)
    findings.note(`Account ${subject} has ${balance} units, of which the book knows ${relation.balance}.`);
  else if (balance !== relation.balance)
    findings.differ({
      kind: 'balance',
      subject,
      book: relation.balance,
      ledger: balance,
      remedy:
        'The holder, or somebody with a key of the token, moved units without the policy. The book goes on with its own balance: bring both together with a transfer on the ledger, or accept it and tell whoever relies on the book.',
    });
  if (onLedger === undefined) return;
  if (onLedger.isFrozen !== relation.frozen)
    findings.differ({
      kind: 'frozen',
      subject,
      book: relation.frozen ? 'frozen' : 'not frozen',
      ledger: onLedger.isFrozen ? 'frozen' : 'not frozen',
      remedy:
        'Somebody else used the freeze key. Freeze or unfreeze the account in the policy as it should be, and once more on the ledger.',
    });
  if (relation.kyc !== 'unset' && onLedger.hasKyc !== (relation.kyc === 'granted'))
    findings.differ({
      kind: 'kyc',
      subject,
      book: relation.kyc,
      ledger: onLedger.hasKyc ? 'granted' : 'revoked',
      remedy:
        'Somebody else used the KYC key. Grant or revoke it in the policy as it should be, and once more on the ledger.',
    });
}

const ledgerAccount = (local: string, { idOf }: Book, createsAccounts: boolean): string | undefined =>
  createsAccounts ? idOf('account', local) : local;

async function compareSerials(
  token: LedgerToken,
  tokenId: string,
  book: Book,
  { history, createsAccounts, tokens }: TokenFacts,
  findings: Findings,
): Promise<void> {
  const owners = new Map<number, string>();
  for await (const { serial, owner } of history.owners(tokenId)) owners.set(serial, owner);
  for (const { tokenId: of, accountId, first, last } of book.lots) {
    if (of !== token.id) continue;
    const owner = ledgerAccount(accountId, book, createsAccounts) ?? '';
    for (let local = first; local <= last; local += 1) {
      const serial = book.idOf('serial', `${token.id}/${String(local)}`);
      const actual = owners.get(Number(serial));
      owners.delete(Number(serial));
      findings.count('serials');
      if (actual === owner) continue;
      findings.differ({
        kind: 'serial',
        subject: `${tokenId} serial ${serial ?? `${String(local)} of the book`}`,
        book: owner === '' ? accountId : owner,
        ledger: actual ?? 'nobody',
        remedy:
          actual === undefined
            ? 'It was destroyed, or never made. Find the transaction on the ledger; make a new one by hand if it is owed.'
            : 'The holder passed it on without the policy. The book goes on with its own owner: bring both together with a transfer on the ledger.',
      });
    }
  }
  if (tokens[token.id] !== undefined) return;
  for (const [serial, owner] of owners)
    findings.differ({
      kind: 'serial',
      subject: `${tokenId} serial ${String(serial)}`,
      book: 'nobody',
      ledger: owner,
      remedy:
        'Something else holds the supply key and minted, or the store is older than the ledger (a restored backup). Wipe it if it is not owed.',
    });
}
