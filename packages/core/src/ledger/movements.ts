/** Movements of tokens: mint, wipe and transfer, with the token and the accounts afterwards. */
import { MAX_UNITS, type LedgerToken, type TokenRelation } from '../records/index.js';
import { amountOf } from './amounts.js';
import { refuse } from './refuse.js';

export interface Movement {
  readonly token: LedgerToken;
  readonly relations: readonly TokenRelation[];
}

/**
 * Throws `LEDGER_REFUSED` if the account may not receive, or the supply would exceed the maximum. Serials of a non-fungible
 * token continue after the last one ever issued.
 */
export function minted(token: LedgerToken, to: TokenRelation, units: bigint): Movement {
  assertNotNegative(token, units);
  const supply = BigInt(token.supply) + units;
  const lastSerial = token.tokenType === 'non-fungible' ? BigInt(token.lastSerial) + units : 0n;
  if (supply > MAX_UNITS || lastSerial > BigInt(Number.MAX_SAFE_INTEGER)) {
    refuse(
      `token ${token.id} cannot have ${formatted(token, units)} more: ${formatted(token, BigInt(token.supply))} exist already`,
    );
  }
  const relations = [credited(to, units)];
  return { token: { ...token, supply: supply.toString(), lastSerial: Number(lastSerial) }, relations };
}

/** Throws `LEDGER_REFUSED` if the account holds less. Frozen accounts can be wiped on purpose. */
export function wiped(token: LedgerToken, from: TokenRelation, units: bigint): Movement {
  assertNotNegative(token, units);
  const relations = [debited(token, from, units)];
  return { token: { ...token, supply: (BigInt(token.supply) - units).toString() }, relations };
}

/** Throws `LEDGER_REFUSED` if the sender holds less, either account may not take part, or both are the same. */
export function transferred(token: LedgerToken, from: TokenRelation, to: TokenRelation, units: bigint): Movement {
  assertNotNegative(token, units);
  if (from.id === to.id) refuse(`account ${from.accountId} cannot transfer token ${token.id} to itself`);
  assertOpen(from);
  return { token, relations: [debited(token, from, units), credited(to, units)] };
}

function credited(to: TokenRelation, units: bigint): TokenRelation {
  assertNamed(to);
  assertOpen(to);
  return { ...to, associated: true, balance: (BigInt(to.balance) + units).toString() };
}

function debited(token: LedgerToken, from: TokenRelation, units: bigint): TokenRelation {
  assertNamed(from);
  const balance = BigInt(from.balance);
  if (units <= balance) return { ...from, balance: (balance - units).toString() };
  return refuse(
    `account ${from.accountId} holds ${formatted(token, balance)} of token ${token.id}, less than ${formatted(token, units)}`,
  );
}

function assertNotNegative(token: LedgerToken, units: bigint): void {
  if (units < 0n) refuse(`${formatted(token, units)} of token ${token.id} is less than nothing`);
}

function assertNamed({ tokenId, accountId }: TokenRelation): void {
  if (accountId === '') refuse(`no account is named for token ${tokenId}`);
}

function assertOpen({ tokenId, accountId, frozen, kyc }: TokenRelation): void {
  if (frozen) refuse(`account ${accountId} is frozen for token ${tokenId}`);
  if (kyc === 'revoked') refuse(`the KYC of account ${accountId} for token ${tokenId} is revoked`);
}

const formatted = ({ decimals }: LedgerToken, units: bigint): string => amountOf(units, decimals);
