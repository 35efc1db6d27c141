/** The versions of what the folder holds. */

/** What this version writes into `store.json` and the snapshots. It reads every one up to this, and none that is newer. */
export const format = 2;

/** The journal is written as it was in format 1. */
export const journalFormat = 1;
