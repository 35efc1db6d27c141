/** Ids for what is signed: those of the external ledger, since a signed document cannot be corrected afterwards. */
import { BlockworkError } from '../../errors.js';
import { tokenOfDefinition } from '../../ledger/index.js';
import type { LedgerIds } from '../../ports/index.js';
import { equalTo, INSTANCE, statusIs, type LedgerToken } from '../../records/index.js';
import type { UnitOfWork } from '../../transactions/index.js';
import type { BookingDeps, LedgerBooking } from './ledger-booking.js';

type Named = Parameters<LedgerIds['idOf']>[1];

export class SignedIds {
  constructor(
    private readonly unit: UnitOfWork,
    private readonly deps: BookingDeps,
    private readonly booking: LedgerBooking,
  ) {}

  /** Whether the book's ids are no others: without a ledger that gives its own, and in a trial. */
  get #areOfTheBook(): boolean {
    const { externalLedger, policy } = this.deps;
    return externalLedger?.ids === undefined || statusIs(policy.status, 'trial');
  }

  /**
   * Has the ledger make the tokens of the policy's file before their first use, so that the first mint can name their ids.
   */
  async announceTokens(): Promise<void> {
    if (this.#areOfTheBook) return;
    const { policy } = this.deps;
    for (const definition of await this.unit.find('token', policy.id)) {
      if ((await this.unit.get('ledger-token', policy.id, definition.id)) !== undefined) continue;
      await this.booking.bookToken(tokenOfDefinition(definition));
    }
  }

  /** The id is kept with the token, so that whoever reads what was signed can tell which token it names. */
  async ofToken(token: LedgerToken): Promise<string> {
    if (token.ledgerId !== undefined || this.#areOfTheBook) return token.ledgerId ?? token.id;
    const { policy, effects } = this.deps;
    if (effects.some(({ type, tokenId }) => type === 'create-token' && tokenId === token.id)) return token.id;
    const ledgerId = await this.#idOf('token', token.id);
    if (ledgerId === undefined) return token.id;
    this.unit.put('ledger-token', policy.id, { ...token, ledgerId });
    return ledgerId;
  }

  async ofMessage(messageId: string): Promise<string | undefined> {
    if (this.#areOfTheBook) return messageId;
    const { policy, effects } = this.deps;
    if (effects.some((effect) => effect.messageId === messageId)) return undefined;
    if ((await this.unit.get('ledger-message', policy.id, messageId)) === undefined) return undefined;
    return this.#idOf('message', messageId);
  }

  /** `undefined` if there is none and none will come: it was booked before the ledger was used. */
  async #idOf(of: Named, local: string): Promise<string | undefined> {
    const { policy, externalLedger } = this.deps;
    // In this order: what is settled between the two questions has its id by the second.
    const ofPolicy = equalTo('policyId', policy.id);
    const [pending] = await this.unit.find('settlement', INSTANCE, { where: ofPolicy, limit: 1 });
    const id = await externalLedger?.ids?.idOf(policy.id, of, local);
    if (id !== undefined || pending === undefined) return id;
    throw new BlockworkError('LEDGER_PENDING', { facts: { what: of, id: local, policyId: policy.id } });
  }
}
