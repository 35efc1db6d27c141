/** A command: its help as data, and the function that is loaded when it runs. */
import type { ExitCode } from './exit-codes.js';
import type { Io } from './io.js';

export interface OptionSpec {
  /** In commander's notation: `-f, --format <name>`. */
  readonly flags: string;
  readonly description: string;
  readonly choices?: readonly string[];
  readonly default?: string;
  readonly required?: boolean;
}

export interface ArgumentSpec {
  /** `<file>`, `[folder]` or `<files...>`. */
  readonly name: string;
  readonly description: string;
  readonly choices?: readonly string[];
}

export interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  readonly arguments?: readonly ArgumentSpec[];
  /** In addition to `--json` and `--help`, which every command has. */
  readonly options?: readonly OptionSpec[];
  readonly examples?: readonly string[];
  /** Absent for a mere group of commands. */
  readonly load?: () => Promise<{ readonly run: CommandRun }>;
  /** In addition to what the command does by itself, if it has a `load`. */
  readonly commands?: readonly CommandSpec[];
}

export interface CommandInput {
  /** The arguments in order; variadic ones are flattened. */
  readonly args: readonly string[];
  /** Keyed by the camel-case names of the flags. */
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  /** Whether to print one JSON value to standard output. */
  readonly json: boolean;
}

/** Failures are thrown: `CommandError`, or an error that `explainFailure` knows. */
export type CommandRun = (input: CommandInput, io: Io) => Promise<ExitCode>;

/** The value of an option; `undefined` if absent. */
export function textOption({ options }: CommandInput, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/** Prints the result as JSON or as text, as requested. */
export async function printResult(
  { json }: CommandInput,
  io: Io,
  { value, text }: { readonly value: unknown; readonly text: () => string },
): Promise<void> {
  await io.write(json ? `${JSON.stringify(value, null, 2)}\n` : text());
}
