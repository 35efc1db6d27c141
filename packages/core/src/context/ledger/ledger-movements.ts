/** Mint, wipe and transfer within one unit of work: updates the token, the accounts and the lots of serials. */
import { amountOf, givenLot, minted, refuse, takeFrom, takeSerials, transferred, wiped } from '../../ledger/index.js';
import type { Movement, TakenSerials } from '../../ledger/index.js';
import { equalTo, allOf } from '../../records/index.js';
import type { LedgerEffect, LedgerLot, LedgerToken, SerialRange, TokenRelation } from '../../records/index.js';
import type { LedgerBooking } from './ledger-booking.js';
import type { UnitOfWork } from '../../transactions/index.js';

type MovementFacts = Pick<LedgerEffect, 'accountId' | 'fromAccountId' | 'memo'>;

export class LedgerMovements {
  constructor(
    private readonly unit: UnitOfWork,
    private readonly policyId: string,
    private readonly booking: LedgerBooking,
  ) {}

  async mint(token: LedgerToken, to: TokenRelation, units: bigint, memo: string): Promise<LedgerEffect> {
    const { accountId } = to;
    const movement = minted(token, to, units);
    const { lastSerial } = movement.token;
    const serials: SerialRange[] = lastSerial > token.lastSerial ? [[token.lastSerial + 1, lastSerial]] : [];
    const effect = await this.#book('mint', { accountId, memo }, movement, units, serials);
    this.#give(serials, to);
    return effect;
  }

  async wipe(token: LedgerToken, from: TokenRelation, units: bigint, memo: string): Promise<LedgerEffect> {
    const { accountId } = from;
    const movement = wiped(token, from, units);
    const { serials: serialsWiped, lots, rest } = await this.#take(token, from, units);
    const effect = await this.#book('wipe', { accountId, memo }, movement, units, serialsWiped);
    for (const id of lots) this.unit.delete('ledger-lot', this.policyId, id);
    this.#give(rest, from);
    return effect;
  }

  /** The serials must not overlap. */
  async wipeSerials(
    token: LedgerToken,
    from: TokenRelation,
    serials: readonly SerialRange[],
    memo: string,
  ): Promise<LedgerEffect> {
    const { tokenId, accountId } = from;
    if (token.tokenType === 'fungible') refuse(`token ${tokenId} has no serial numbers`);
    const [{ serials: serialsWiped, lots, rest }, missing] = takeSerials(await this.#lotsOf(from), serials);
    if (missing !== null)
      refuse(`account ${accountId} does not hold serial number ${String(missing)} of token ${tokenId}`);
    const units = serialsWiped.reduce((sum, [first, last]) => sum + BigInt(last - first + 1), 0n);
    const effect = await this.#book('wipe', { accountId, memo }, wiped(token, from, units), units, serialsWiped);
    for (const id of lots) this.unit.delete('ledger-lot', this.policyId, id);
    this.#give(rest, from);
    return effect;
  }

  async transfer(
    token: LedgerToken,
    from: TokenRelation,
    to: TokenRelation,
    units: bigint,
    memo: string,
  ): Promise<LedgerEffect> {
    const movement = transferred(token, from, to, units);
    const { serials: moved, rest } = await this.#take(token, from, units);
    const facts = { accountId: to.accountId, fromAccountId: from.accountId, memo };
    const effect = await this.#book('transfer', facts, movement, units, moved);
    this.#give(moved, to);
    this.#give(rest, from);
    return effect;
  }

  async #book(
    type: LedgerEffect['type'],
    facts: MovementFacts,
    { token, relations }: Movement,
    units: bigint,
    serials: SerialRange[],
  ): Promise<LedgerEffect> {
    const { id: tokenId, tokenType, decimals } = token;
    const [effect] = await this.booking.book({
      type,
      tokenId,
      ...facts,
      units: units.toString(),
      amount: amountOf(units, decimals),
      ...(tokenType === 'non-fungible' && { serials }),
    });
    this.unit.put('ledger-token', this.policyId, token);
    for (const relation of relations) this.unit.put('ledger-relation', this.policyId, relation);
    return effect;
  }

  /** A lot is keyed by its first serial; when a whole lot changes hands, its record is updated in place. */
  #give(serials: readonly SerialRange[], { tokenId, accountId }: TokenRelation): void {
    for (const range of serials) this.unit.put('ledger-lot', this.policyId, givenLot(tokenId, accountId, range));
  }

  async #take({ tokenType }: LedgerToken, from: TokenRelation, units: bigint): Promise<TakenSerials> {
    if (tokenType === 'fungible') return { serials: [], lots: [], rest: [] };
    return takeFrom(await this.#lotsOf(from), units);
  }

  #lotsOf({ tokenId, accountId }: TokenRelation): Promise<LedgerLot[]> {
    const where = allOf(equalTo('tokenId', tokenId), equalTo('accountId', accountId));
    return this.unit.find('ledger-lot', this.policyId, { where });
  }
}
