/** Compares supplies, balances, states of accounts and owners of serials. */
import type { LedgerToken, TokenRelation } from '@blockwork/core';
import type { History } from '../network/history.js';
import type { Mirror } from '../network/mirror.js';
import type { Book } from './book.js';
import { Findings } from './findings.js';
import { SerialMap } from './serial-map.js';
import type { Settled } from './settled.js';

export interface TokenFacts {
  readonly history: Pick<History, 'token' | 'owners'>;
  readonly mirror: Pick<Mirror, 'relation'>;
  readonly operatorAccount: string;
  readonly settled: Pick<Settled, 'serials'>;
  /** Whether accounts of the book have others on the ledger. */
  readonly createsAccounts: boolean;
  /** Tokens that were on the ledger before: others may mint them as well. */
  readonly tokens: Readonly<Record<string, string>>;
}

export async function compareTokens(book: Book, facts: TokenFacts, findings: Findings): Promise<void> {
  for await (const token of book.tokens()) {
    if (book.waiting.tokens.has(token.id)) {
      findings.note(`Token ${token.id} is not compared: effects on it wait to be settled.`);
      continue;
    }
    const ofToken = new Findings();
    await compareToken(token, book, facts, ofToken);
    // The book was read before the ledger, which is always in the present.
    if (await book.hasChanged(token.id))
      findings.note(`Token ${token.id} is not compared: it changed meanwhile. Compare it again.`);
    else findings.add(ofToken);
  }
}

async function compareToken(token: LedgerToken, book: Book, facts: TokenFacts, findings: Findings): Promise<void> {
  const { history, tokens } = facts;
  const isShared = tokens[token.id] !== undefined;
  const id = tokens[token.id] ?? (await book.idOf('token', token.id));
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
  for await (const relation of book.relations(token.id)) await compareRelation(relation, id, book, facts, findings);
  if (token.tokenType === 'non-fungible') await compareSerials(token, id, book, facts, findings);
}

async function compareRelation(
  relation: TokenRelation,
  tokenId: string,
  book: Book,
  { mirror, operatorAccount, createsAccounts, tokens }: TokenFacts,
  findings: Findings,
): Promise<void> {
  const account = await ledgerAccount(relation.accountId, book, createsAccounts);
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

const ledgerAccount = async (local: string, book: Book, createsAccounts: boolean): Promise<string | undefined> =>
  createsAccounts ? book.idOf('account', local) : local;

/** Serials in a row that the book gives to one account. */
interface Lot {
  /** On the ledger. */
  readonly first: number;
  readonly length: number;
  readonly accountId: string;
  /** The account on the ledger; empty for none. */
  readonly owner: string;
}

/** With more, a token's serials are left out. */
const LOTS_AT_MOST = 200_000;

/** Walks through both at once: the mirror's pages, and the lots in their order on the ledger. */
async function compareSerials(
  token: LedgerToken,
  tokenId: string,
  book: Book,
  facts: TokenFacts,
  findings: Findings,
): Promise<void> {
  const lots = await lotsOnLedger(token.id, tokenId, book, facts, findings);
  if (lots === null) {
    findings.note(`Serials of token ${tokenId} are not compared: there are more than one comparison takes.`);
    return;
  }
  const isShared = facts.tokens[token.id] !== undefined;
  const booked = eachSerial(lots);
  let next = booked.next();
  for await (const { serial, owner } of facts.history.owners(tokenId)) {
    for (; next.done !== true && next.value.serial < serial; next = booked.next())
      compareSerial(tokenId, next.value.serial, next.value.lot, undefined, findings);
    if (next.done !== true && next.value.serial === serial) {
      compareSerial(tokenId, serial, next.value.lot, owner, findings);
      next = booked.next();
    } else if (!isShared)
      findings.differ({
        kind: 'serial',
        subject: `${tokenId} serial ${String(serial)}`,
        book: 'nobody',
        ledger: owner,
        remedy:
          'Something else holds the supply key and minted, or the store is older than the ledger (a restored backup). Wipe it if it is not owed.',
      });
  }
  for (; next.done !== true; next = booked.next())
    compareSerial(tokenId, next.value.serial, next.value.lot, undefined, findings);
}

/** Serials that the ledger never gave are compared here. `null` if there are too many. */
async function lotsOnLedger(
  local: string,
  tokenId: string,
  book: Book,
  { settled, createsAccounts }: TokenFacts,
  findings: Findings,
): Promise<Lot[] | null> {
  if (settled.serials === null) return null;
  const serials = settled.serials.get(local) ?? new SerialMap();
  const owners = new Map<string, string>();
  const lots: Lot[] = [];
  for await (const { accountId, first, last } of book.lots(local)) {
    const owner = owners.get(accountId) ?? (await ledgerAccount(accountId, book, createsAccounts)) ?? '';
    owners.set(accountId, owner);
    for (const run of serials.translate(first, last)) {
      const lot = { first: run.ledger ?? run.local, length: run.length, accountId, owner };
      if (run.ledger === null)
        for (const { serial } of eachSerial([lot]))
          compareSerial(tokenId, `${String(serial)} of the book`, lot, undefined, findings);
      else lots.push(lot);
    }
    if (lots.length > LOTS_AT_MOST) return null;
  }
  return lots.sort((a, b) => a.first - b.first);
}

function* eachSerial(lots: readonly Lot[]): Generator<{ readonly serial: number; readonly lot: Lot }, void> {
  for (const lot of lots)
    for (let serial = lot.first; serial < lot.first + lot.length; serial += 1) yield { serial, lot };
}

function compareSerial(
  tokenId: string,
  serial: number | string,
  { owner, accountId }: Lot,
  actual: string | undefined,
  findings: Findings,
): void {
  findings.count('serials');
  if (actual === owner) return;
  findings.differ({
    kind: 'serial',
    subject: `${tokenId} serial ${String(serial)}`,
    book: owner === '' ? accountId : owner,
    ledger: actual ?? 'nobody',
    remedy:
      actual === undefined
        ? 'It was destroyed, or never made. Find the transaction on the ledger; make a new one by hand if it is owed.'
        : 'The holder passed it on without the policy. The book goes on with its own owner: bring both together with a transfer on the ledger.',
  });
}
