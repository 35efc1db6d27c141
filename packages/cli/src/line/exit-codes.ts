/** The exit codes of every command; docs/cli.md explains them. */

export const exitCodes = {
  ok: 0,
  /** The command did its work and found something: errors in a policy, failed expectations, differences, damage. */
  found: 1,
  /** The arguments or the settings are wrong. */
  usage: 2,
  /** A file, a folder or a store cannot be read or written. */
  unreadable: 3,
  /** A server refused the request or did not respond. */
  refused: 4,
  /** A fault of the command itself. */
  bug: 70,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
