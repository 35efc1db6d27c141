/** Which of the units that wait can share one statement. */
import type { Unit } from './unit.js';

const UNITS_AT_MOST = 64;
const BYTES_AT_MOST = 2 ** 20;

/**
 * Takes from the waiting units those that can go together: none that shares something with `busy`, or with one that is left
 * waiting before it, so that units that concern each other stay in order.
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

/** It builds on other numbers than those that the units before it will leave behind. */
const isContradicted = ({ expected }: Unit, promised: ReadonlyMap<string, number>): boolean =>
  expected.some(({ name, number }) => (promised.get(name) ?? number) !== number);

const intersects = (some: ReadonlySet<string>, others: ReadonlySet<string>): boolean => {
  for (const each of some) if (others.has(each)) return true;
  return false;
};
