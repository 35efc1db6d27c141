/** The type of a condition in SQL. */

export interface Sql {
  readonly text: string;
  /** Whether it matches exactly the right records; otherwise it may match more, never fewer. */
  readonly isExact: boolean;
}

export const always: Sql = { text: 'true', isExact: true };
export const never: Sql = { text: 'false', isExact: true };
