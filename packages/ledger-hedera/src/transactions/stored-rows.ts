/** The rows of one effect and the ids that earlier effects gave, in the engine's store: as durable as the book. */
import type { JsonObject, LedgerEffect, LedgerRow, PolicyStore } from '@blockwork/core';
import type { Change } from '@blockwork/core/adapter';
import { chargesOf, costChanges, type Charge } from '../costs/costs.js';
import { INSTANCE_PARTITION } from './partition.js';
import { textIn } from './record-text.js';
import type { Mapped, Mapping, TransactionRow } from './row.js';

type Store = Pick<PolicyStore, 'revision' | 'get' | 'find' | 'commit'>;

const SHARED: ReadonlySet<Mapped> = new Set(['account', 'policy-topic', 'registry-topic', 'tool']);
/** Accounts, registries and tools are those of the whole instance, and the versions of a policy share a topic; everything else belongs to a policy. */
const partitionOf = (of: Mapped, policyId: string): string => (SHARED.has(of) ? INSTANCE_PARTITION : policyId);
const mappingId = (of: Mapped, local: string): string => `id/${of}/${local}`;

export class StoredRows {
  #revision: number;
  readonly #rows: TransactionRow[];

  private constructor(
    private readonly store: Store,
    private readonly effect: Pick<LedgerEffect, 'id' | 'policyId'>,
    revision: number,
    rows: TransactionRow[],
  ) {
    this.#revision = revision;
    this.#rows = rows;
  }

  static async open(store: Store, effect: Pick<LedgerEffect, 'id' | 'policyId'>): Promise<StoredRows> {
    const revision = await store.revision(keyOf(effect));
    const where = { path: 'effectId', op: 'eq', value: effect.id } as const;
    const records = await store.find('ledger-row', effect.policyId, { where });
    return new StoredRows(store, effect, revision, records.map(fromRecord));
  }

  /** In the order in which they were planned. */
  get all(): readonly TransactionRow[] {
    return this.#rows;
  }

  async idOf(of: Mapped, local: string): Promise<string | undefined> {
    return storedId(this.store, this.effect.policyId, of, local);
  }

  /**
   * Resolves when the row and the mappings are durable. Rejects with `CONFLICT` if another process has written rows of
   * the policy since these were read: it settles this effect. What the row costs is counted in the same commit; `paid`
   * is what an earlier id of it has cost, in tinybars.
   */
  async save(row: TransactionRow, mappings: readonly Mapping[] = [], paid = 0n): Promise<void> {
    const { policyId } = this.effect;
    const charges: Charge[] = chargesOf(
      this.#rows.find(({ id }) => id === row.id),
      row,
      paid,
    );
    const changes: Change[] = [
      ...(await costChanges(this.store, policyId, charges)),
      { op: 'put', kind: 'ledger-row', partition: policyId, value: toRecord(row) },
      ...mappings.map(({ of, local, ledger }): Change => ({
        op: 'put',
        kind: 'ledger-row',
        partition: partitionOf(of, policyId),
        value: { id: mappingId(of, local), effectId: '', state: 'id', content: { ledger } },
      })),
    ];
    await this.store.commit({ expect: { [keyOf(this.effect)]: this.#revision }, changes });
    this.#revision += 1;
    const place = this.#rows.findIndex(({ id }) => id === row.id);
    if (place < 0) this.#rows.push(row);
    else this.#rows[place] = row;
  }
}

/** The ledger's id of one in the book of a policy. */
export async function storedId(
  store: Pick<PolicyStore, 'get'>,
  policyId: string,
  of: Mapped,
  local: string,
): Promise<string | undefined> {
  const record = await store.get('ledger-row', partitionOf(of, policyId), mappingId(of, local));
  const id = record?.content['ledger'];
  return typeof id === 'string' ? id : undefined;
}

const keyOf = ({ policyId }: Pick<LedgerEffect, 'policyId'>): string => `ledger-rows/${policyId}`;

const toRecord = ({ id, effectId, state, ...content }: TransactionRow): LedgerRow => ({
  id,
  effectId,
  state,
  content: content as unknown as JsonObject,
});

/** Only this adapter writes the records, so their form is known. */
const fromRecord = ({ id, effectId, state, content }: LedgerRow): TransactionRow =>
  ({ id, effectId, state, ...content }) as unknown as TransactionRow;

/** What a record holds: a transaction, the ledger's id of one in the book (`<what>/<id in the book>`), or something else. */
export function readRecord(
  record: LedgerRow,
): { readonly row: TransactionRow } | { readonly local: string; readonly ledger: string } | null {
  const { id, state, content } = record;
  if (id.startsWith('transaction/')) return { row: fromRecord(record) };
  if (state === 'id' && id.startsWith('id/')) return { local: id.slice(3), ledger: textIn(content, 'ledger') };
  return null;
}
