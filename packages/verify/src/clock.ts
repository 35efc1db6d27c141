/** The machine's clock, for callers who pass no time of their own. */

export const presentTime = (): number => Date.now();
