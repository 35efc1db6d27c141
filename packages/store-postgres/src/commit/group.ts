/** Selects queued units that can share one statement. */
import type { Unit } from './unit.js';

const UNITS_AT_MOST = 64;
const BYTES_AT_MOST = 2 ** 20;

/**
 * Takes from the queue the units that can be committed together. Skips a unit that shares a key with `busy` or with an
 * earlier unit left in the queue, so that interdependent units stay in order.
 */
export function takeGroup(units: Unit[], busy: ReadonlySet<string>): Unit[] {
  const group: Unit[] = [];
  const unitsLeft: Unit[] = [];
  const blocked = new Set(busy);
  const promised = new Map<string, number>();
  let bytes = 0;
  for (const unit of units) {
    const isBlocked = intersects(unit.order, blocked) || isContradicted(unit, promised);
    const hasRoom = group.length === 0 || (canShare(group, unit) && bytes + unit.bytes <= BYTES_AT_MOST);
    if (!isBlocked && hasRoom) {
      group.push(unit);
      bytes += unit.bytes;
      for (const { name, number, steps } of unit.expected) promised.set(name, number + steps);
    } else {
      unitsLeft.push(unit);
      for (const name of unit.order) blocked.add(name);
    }
  }
  units.splice(0, units.length, ...unitsLeft);
  return group;
}

const canShare = (group: readonly Unit[], unit: Unit): boolean =>
  group.length < UNITS_AT_MOST && !unit.isAlone && group[0]?.isAlone !== true;

/** Whether it expects revisions other than those its predecessors will leave. */
const isContradicted = ({ expected }: Unit, promised: ReadonlyMap<string, number>): boolean =>
  expected.some(({ name, number }) => (promised.get(name) ?? number) !== number);

const intersects = (some: ReadonlySet<string>, others: ReadonlySet<string>): boolean => {
  for (const each of some) if (others.has(each)) return true;
  return false;
};
