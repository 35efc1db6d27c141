/** What transactions cost: by day and policy, in the commit that changes the transaction, so that none is counted twice. */
import type { LedgerRow, PolicyStore } from '@blockwork/core';
import type { Change } from '@blockwork/core/adapter';
import { INSTANCE_PARTITION } from '../transactions/partition.js';
import { textIn } from '../transactions/record-text.js';
import type { TransactionRow } from '../transactions/row.js';

/** In tinybars. */
export interface Costs {
  /** Fees that the mirror has shown. */
  readonly spent: bigint;
  /** The most that transactions may cost whose fee is not known yet. */
  readonly reserved: bigint;
}

/** A change of the costs of a day, `2026-11-28` in UTC. */
export interface Charge extends Costs {
  readonly day: string;
}

type Reader = Pick<PolicyStore, 'get' | 'find'>;

/** The state of the records with the costs of all days. */
const ALL_DAYS = 'costs';
const stateOf = (day: string | null): string => (day === null ? ALL_DAYS : `costs/${day}`);
const recordId = (day: string | null, policyId: string): string => `${stateOf(day)}/${policyId}`;

export const dayOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);

/** What a row's change costs. `paid`: the fee of the id that it had before, which had no effect. */
export function chargesOf(before: TransactionRow | undefined, after: TransactionRow, paid: bigint): Charge[] {
  const charges: Charge[] = [];
  const isSignedAgain = before !== undefined && before.transactionId !== after.transactionId;
  if (before?.day !== undefined && isSignedAgain)
    charges.push({ day: before.day, spent: paid, reserved: -BigInt(before.reserved ?? '0') });
  if (after.day === undefined) return charges;
  const reserved = BigInt(after.reserved ?? '0') - (isSignedAgain ? 0n : BigInt(before?.reserved ?? '0'));
  const spent = isSignedAgain ? 0n : BigInt(after.fee ?? '0') - BigInt(before?.fee ?? '0');
  if (reserved !== 0n || spent !== 0n) charges.push({ day: after.day, spent, reserved });
  return charges;
}

/** The costs of a policy belong to its partition's writer: the commit that they are part of guards them. */
export async function costChanges(store: Reader, policyId: string, charges: readonly Charge[]): Promise<Change[]> {
  const totals = new Map<string | null, Costs>();
  for (const { day, spent, reserved } of charges) {
    for (const each of [day, null]) {
      const total =
        totals.get(each) ?? costsIn(await store.get('ledger-row', INSTANCE_PARTITION, recordId(each, policyId)));
      totals.set(each, { spent: total.spent + spent, reserved: total.reserved + reserved });
    }
  }
  return [...totals].map(([day, { spent, reserved }]): Change => ({
    op: 'put',
    kind: 'ledger-row',
    partition: INSTANCE_PARTITION,
    value: {
      id: recordId(day, policyId),
      effectId: '',
      state: stateOf(day),
      content: { spent: String(spent), reserved: String(reserved) },
    },
  }));
}

/** Of all policies, on that day; of all days for `null`. */
export async function totalCosts(store: Reader, day: string | null): Promise<Costs> {
  const where = { path: 'state', op: 'eq', value: stateOf(day) } as const;
  const records = await store.find('ledger-row', INSTANCE_PARTITION, { where });
  return records
    .map(costsIn)
    .reduce((sum, { spent, reserved }) => ({ spent: sum.spent + spent, reserved: sum.reserved + reserved }), {
      spent: 0n,
      reserved: 0n,
    });
}

function costsIn(record: LedgerRow | undefined): Costs {
  const tinybars = (name: string): bigint => BigInt(textIn(record?.content, name, '0'));
  return { spent: tinybars('spent'), reserved: tinybars('reserved') };
}
