/** A condition in SQL. */

export interface Sql {
  readonly text: string;
  /** Whether it is true of exactly the right records; otherwise it is true of all of those, and perhaps of more. */
  readonly isExact: boolean;
}

export const always: Sql = { text: 'true', isExact: true };
export const never: Sql = { text: 'false', isExact: true };
