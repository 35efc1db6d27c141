/** Faults that are planted on purpose, to see that a simulation finds them. */
import type { ChangeSet } from '@blockwork/core/adapter';

/** In the simulated ports. */
export const portPlants = {
  'no-revision-check': 'The database applies a commit whatever revisions it expects.',
  'no-fence': 'A commit whose answer was lost counts as not done, though it may still be executed.',
  'acknowledged-before-durable': 'The database acknowledges a commit before its synchronous standby has it.',
  'receipt-not-stored': 'The receipts of sends are not stored.',
  'effect-without-id': 'The ledger does not know an effect again that it has carried out.',
  'lying-disk': 'The disk says that it has flushed, and has not.',
  'writes-reordered': 'The commits of a chain are applied in the wrong order.',
} as const;

export type PortPlant = keyof typeof portPlants;

export class Plants {
  readonly #names: ReadonlySet<string>;

  constructor(names: Iterable<string> = []) {
    this.#names = new Set(names);
  }

  has(name: PortPlant): boolean {
    return this.#names.has(name);
  }

  /** What is committed instead of this. */
  rewritten(chain: readonly ChangeSet[]): readonly ChangeSet[] {
    let changed = chain;
    if (this.has('receipt-not-stored')) {
      changed = changed.map((each) => ({
        ...each,
        changes: each.changes.filter(({ kind }) => kind !== 'send-receipt'),
      }));
    }
    if (this.has('writes-reordered')) {
      const changes = changed.map((each) => each.changes).reverse();
      changed = changed.map((each, at) => ({ ...each, changes: changes[at] ?? [] }));
    }
    return changed;
  }
}
