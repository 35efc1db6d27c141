/** Selects queued units that can share one statement. */
import type { Unit } from './unit.js';

const UNITS_AT_MOST = 64;
const BYTES_AT_MOST = 2 ** 20;

/**
 * Takes from the queue the units that can be committed together. Skips a unit that shares a key with `busy` or with an
 * earlier unit left in the queue, so that interdependent units stay in order.
 */
export function takeGroup(waiting: Unit[], busy: ReadonlySet<string>): Unit[] {
  const taken: Unit[] = [];
  const left: Unit[] = [];
  const blocked = new Set(busy);
  const promised = new Map<string, number>();
  let bytes = 0;
  for (const unit of waiting) {
    const isBlocked = intersects(unit.order, blocked) || isContradicted(unit, promised);
    const hasRoom = taken.length === 0 || (canShare(taken, unit) && bytes + unit.bytes <= BYTES_AT_MOST);
    if (!isBlocked && hasRoom) {
      taken.push(unit);
      bytes += unit.bytes;
      for (const { name, number, steps } of unit.expected) promised.set(name, number + steps);
    } else {
      left.push(unit);
      for (const name of unit.order) blocked.add(name);
    }
  }
  waiting.splice(0, waiting.length, ...left);
  return taken;
}

const canShare = (taken: readonly Unit[], unit: Unit): boolean =>
  taken.length < UNITS_AT_MOST && !unit.isAlone && taken[0]?.isAlone !== true;

/** Whether it expects revisions other than those its predecessors will leave. */
const isContradicted = ({ expected }: Unit, promised: ReadonlyMap<string, number>): boolean =>
  expected.some(({ name, number }) => (promised.get(name) ?? number) !== number);

const intersects = (some: ReadonlySet<string>, others: ReadonlySet<string>): boolean => {
  for (const each of some) if (others.has(each)) return true;
  return false;
};
