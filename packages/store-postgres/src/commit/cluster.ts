/** Groups the units of one statement into clusters of interdependent units, each committed all or nothing. */
import type { Address, Row } from '../codec/row.js';
import { addressText, type Unit } from './unit.js';

/** A revision row to advance by `steps` from `was`, or only to stamp if no revision is expected. */
export interface Move {
  readonly name: string;
  readonly fullName: string | null;
  readonly was: number | null;
  readonly steps: number;
}

/** A record to write; `position` orders new records. */
export interface Put {
  readonly row: Row;
  readonly position: number;
}

export interface Cluster {
  readonly units: readonly Unit[];
  readonly moves: readonly Move[];
  readonly puts: readonly Put[];
  /** Executed before `puts`: a record that is deleted and put gets a new place. */
  readonly deletes: readonly Address[];
}

export function clustersOf(units: readonly Unit[]): Cluster[] {
  let position = 0;
  const firstPositions = new Map<Unit, number>();
  for (const unit of units) {
    firstPositions.set(unit, position);
    position += unit.changes.length;
  }
  return connected(units).map((some) => ({ units: some, moves: movesOf(some), ...folded(some, firstPositions) }));
}

/** Units that share a revision or a record, directly or through others; each cluster in the order of the units. */
function connected(units: readonly Unit[]): Unit[][] {
  const clusterOf = new Map<string, Unit[]>();
  let clusters: Unit[][] = [];
  for (const unit of units) {
    const shared = [...unit.revisions, ...unit.changes.map(({ address }) => addressText(address))];
    const met = new Set(shared.map((text) => clusterOf.get(text)).filter((cluster) => cluster !== undefined));
    const cluster = inOrderOf(units, [...met, [unit]]);
    clusters = [...clusters.filter((other) => !met.has(other)), cluster];
    for (const text of shared) clusterOf.set(text, cluster);
    if (met.size > 0) for (const [text, other] of clusterOf) if (met.has(other)) clusterOf.set(text, cluster);
  }
  return withoutOvertaking(units, clusters);
}

/**
 * The units of a failed cluster are retried one by one. Those that then succeed must not be overtaken by later units in the
 * partition that all policies share. A cluster of one is not retried.
 */
function withoutOvertaking(units: readonly Unit[], clusters: Unit[][]): Unit[][] {
  const inInstance = clusters.filter((cluster) => cluster.some(({ isInInstance }) => isInInstance));
  if (inInstance.every((cluster) => cluster.length === 1)) return clusters;
  return [...clusters.filter((cluster) => !inInstance.includes(cluster)), inOrderOf(units, inInstance)];
}

const inOrderOf = (units: readonly Unit[], clusters: readonly Unit[][]): Unit[] => {
  const members = new Set(clusters.flat());
  return units.filter((unit) => members.has(unit));
};

/** The database must hold the revision expected by the first unit; each unit that expects it advances it by one. */
function movesOf(units: readonly Unit[]): Move[] {
  const moves = new Map<string, Move>();
  for (const { revisions, expected, fullNames } of units) {
    const expectations = new Map(expected.map((expectation) => [expectation.name, expectation]));
    for (const name of revisions) {
      const { was = null, steps = 0 } = moves.get(name) ?? {};
      const expectation = expectations.get(name);
      moves.set(name, {
        name,
        fullName: fullNames.get(name) ?? null,
        was: was ?? expectation?.number ?? null,
        steps: steps + (expectation?.steps ?? 0),
      });
    }
  }
  return [...moves.values()];
}

/** The last change of each record, since a statement can change a row only once. */
function folded(units: readonly Unit[], firstPositions: ReadonlyMap<Unit, number>): Pick<Cluster, 'puts' | 'deletes'> {
  const puts = new Map<string, Put>();
  const deletes = new Map<string, Address>();
  for (const unit of units) {
    const first = firstPositions.get(unit) ?? 0;
    for (const [at, { address, row }] of unit.changes.entries()) {
      const text = addressText(address);
      if (row === null) {
        puts.delete(text);
        deletes.set(text, address);
      } else puts.set(text, { row, position: puts.get(text)?.position ?? first + at });
    }
  }
  return { puts: [...puts.values()], deletes: [...deletes.values()] };
}
