/** What the operator is told about the ledger, and may say to it. */
import type { Clock, LedgerComparison, LedgerOperation, LedgerStatus } from '@blockwork/core/adapter';
import { Book, type BookStore } from '../comparison/book.js';
import { compareMessages } from '../comparison/compare-messages.js';
import { compareRegistry } from '../comparison/compare-registry.js';
import { compareTokens } from '../comparison/compare-tokens.js';
import { compareTools } from '../comparison/compare-tools.js';
import { Findings } from '../comparison/findings.js';
import { momentOf, readSettled } from '../comparison/settled.js';
import type { Budget } from '../costs/budget.js';
import { dayOf, totalCosts } from '../costs/costs.js';
import { hbarText, tinybarsIn } from '../costs/hbar.js';
import type { History } from '../network/history.js';
import type { Mirror } from '../network/mirror.js';
import type { Resumptions } from './resumptions.js';

export interface HederaOperationDeps {
  readonly store: BookStore;
  readonly network: string;
  readonly operator: string;
  readonly createsAccounts: boolean;
  readonly tokens: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly mirror: Pick<Mirror, 'newest' | 'relation'>;
  readonly history: History;
  readonly budget: Budget;
  readonly resumptions: Resumptions;
  readonly payer: { readonly isEmpty: boolean };
}

export class HederaOperation implements LedgerOperation {
  constructor(private readonly deps: HederaOperationDeps) {}

  async status(): Promise<LedgerStatus> {
    const { store, network, operator, clock, mirror, history, budget, payer } = this.deps;
    const [today, total, limit, newest, balance, pause] = await Promise.all([
      totalCosts(store, dayOf(clock.now())),
      totalCosts(store, null),
      budget.today(),
      mirror.newest().catch(() => null),
      history.balance(operator).catch(() => undefined),
      // The floor needs the mirror.
      budget.pause().catch(() => null),
    ]);
    const empty = {
      reason: `The account ${operator} cannot pay what the next transaction may cost.`,
      remedy: 'It goes on when the account is filled. Nothing is lost meanwhile.',
    };
    return {
      network,
      account: operator,
      currency: 'HBAR',
      balance: balance === undefined ? null : hbarText(balance),
      readableUpTo: newest === null ? null : isoOf(newest),
      pause: pause ?? (payer.isEmpty ? empty : null),
      costs: {
        today: hbarText(today.spent),
        reserved: hbarText(today.reserved),
        budget: limit === null ? null : hbarText(limit),
        total: hbarText(total.spent),
      },
    };
  }

  async compare(policyId: string): Promise<LedgerComparison> {
    const { store, operator: operatorAccount, createsAccounts, tokens, mirror, history } = this.deps;
    const findings = new Findings();
    // In this order: a transaction is stored before it is sent, so that the book has whatever came up to then.
    const newest = await mirror.newest();
    const book = await Book.open(store, policyId);
    if (await book.isOfTrial()) {
      findings.note('The policy is a draft or in a trial, of which nothing reaches the ledger.');
      return findings.of(policyId, isoOf(newest));
    }
    if (book.waiting.count > 0)
      findings.note(`${String(book.waiting.count)} effects wait to be settled, and are not compared.`);
    const settled = await readSettled(book, newest.toFixed(9));
    await compareTokens(book, { history, mirror, operatorAccount, createsAccounts, tokens, settled }, findings);
    await compareMessages(book, { history, operatorAccount, settled }, findings);
    const shared = { history, operatorAccount, upTo: momentOf(newest.toFixed(9)) };
    await compareTools(book, settled.tools, shared, findings);
    await compareRegistry(book, shared, findings);
    const publishedAs = await book.publication();
    return { ...findings.of(policyId, isoOf(newest)), ...(publishedAs !== undefined && { publishedAs }) };
  }

  async resume({ allowance }: { readonly allowance: string | null }): Promise<void> {
    const { budget, resumptions } = this.deps;
    const tinybars = allowance === null ? null : tinybarsIn(allowance);
    await resumptions.resume(async () => (tinybars === null ? [] : [await budget.allowing(tinybars)]));
  }
}

const isoOf = (seconds: number): string => new Date(Math.floor(seconds * 1000)).toISOString();
