/** The budget of a unit of work, for every loop over data from outside. */

export interface WorkBudget {
  /**
   * To be awaited in every round of a loop over data from outside: lets the rest of the process run if the unit has run for
   * 10 ms on end. Throws `RUN_TOO_LONG` when the time of the run is up, and `RUN_ENDED` after its end.
   */
  giveWay(): Promise<void>;
  /**
   * Announces documents that are about to be made, so that too many are refused before the first one. What
   * `ctx.credentials` makes counts by itself. Throws `DOCUMENTS_TOO_MANY`.
   */
  expectDocuments(count: number): void;
}
