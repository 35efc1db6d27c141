/** Counts of what happened, by day of the reader. */

export interface Happening {
  /** In ISO 8601. */
  readonly at: string;
  /** How much it counts for. */
  readonly amount: number;
}

export interface Day {
  /** Its first moment. */
  readonly begins: Date;
  readonly total: number;
}

/** The last days up to that of `now`, oldest first. What is older is left out. */
export function perDay(happenings: readonly Happening[], count: number, now: Date): Day[] {
  const days = Array.from({ length: count }, (_, back) => dayOf(now, count - 1 - back));
  const totals = new Map(days.map((begins) => [begins.getTime(), 0]));
  for (const { at, amount } of happenings) {
    const day = dayOf(new Date(at), 0).getTime();
    const before = totals.get(day);
    if (before !== undefined) totals.set(day, before + amount);
  }
  return days.map((begins) => ({ begins, total: totals.get(begins.getTime()) ?? 0 }));
}

/** Days may have 23 or 25 hours. */
const dayOf = (moment: Date, back: number): Date =>
  new Date(moment.getFullYear(), moment.getMonth(), moment.getDate() - back);
