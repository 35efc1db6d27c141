/** Builds the command line from the table of commands, runs it, and maps failures to exit codes. */
import { Argument, Command, CommanderError, Option, type OutputConfiguration } from 'commander';
import { commands } from '../commands.js';
import type { CommandInput, CommandSpec } from './command.js';
import { exitCodes, type ExitCode } from './exit-codes.js';
import { explainFailure, OutputLostError } from './failure.js';
import type { Io } from './io.js';
import { buildVersion } from './version.js';

const help = ['-h, --help', 'print this help'] as const;
const helpOfCommand = ['help [command]', 'print the help of a command'] as const;

/** Resolves to the exit code; never rejects. `argv`: the arguments after the name of the program. */
export async function runCommandLine(argv: readonly string[], io: Io): Promise<ExitCode> {
  let exitCode: ExitCode = exitCodes.ok;
  let usageError = '';
  const outputs = { writeOut: io.print, writeErr: (text: string) => void (usageError += text) };
  const program = commandLine(io, outputs, (code) => (exitCode = code));
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    // A reader that closes the output early, such as `head`, has what it wants.
    if (error instanceof OutputLostError) return exitCodes.ok;
    if (error instanceof CommanderError) {
      io.printError(await shown(usageError));
      return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    }
    return printFailure(error, argv.includes('--json'), io);
  }
}

async function printFailure(error: unknown, json: boolean, io: Io): Promise<ExitCode> {
  const { exitCode, code, ...failure } = explainFailure(error);
  const message = await shown(failure.message);
  io.printError(json ? `${JSON.stringify({ error: code, message })}\n` : `blockwork: ${message}\n`);
  return exitCode;
}

/** Without the credentials of addresses, which arguments and variables may contain. Loads the engine only for those. */
async function shown(text: string): Promise<string> {
  if (!text.includes(':/')) return text;
  return (await import('./shown-text.js')).shownText(text);
}

function commandLine(io: Io, outputs: OutputConfiguration, end: (code: ExitCode) => void): Command {
  const program = new Command('blockwork')
    .description('Check, test, serve, compare and draw policies.')
    .version(buildVersion(), '-V, --version', 'print the version')
    .helpOption(...help)
    .helpCommand(...helpOfCommand)
    .exitOverride()
    .configureOutput(outputs)
    .showHelpAfterError('Run it with --help for usage.')
    .addHelpText('after', '\nExit codes: 0 success, 1 findings, 2 usage, 3 unreadable, 4 refused by a server, 70 bug.');
  for (const spec of commands) add(program, spec, io, end);
  return program;
}

function add(parent: Command, spec: CommandSpec, io: Io, end: (code: ExitCode) => void): void {
  const command = parent
    .command(spec.name)
    .description(spec.summary)
    .helpOption(...help);
  if (spec.commands !== undefined) command.helpCommand(...helpOfCommand);
  for (const each of spec.arguments ?? []) {
    const argument = new Argument(each.name, each.description);
    command.addArgument(each.choices === undefined ? argument : argument.choices(each.choices));
  }
  for (const each of spec.options ?? []) command.addOption(optionOf(each));
  for (const each of spec.commands ?? []) add(command, each, io, end);
  if (spec.examples !== undefined) {
    command.addHelpText('after', `\nExamples:\n${spec.examples.map((line) => `  $ blockwork ${line}`).join('\n')}`);
  }
  const { load } = spec;
  if (load === undefined) return;
  command.option('--json', 'print the result as JSON');
  command.action(async () => {
    const { run } = await load();
    end(await run(inputOf(command), io));
  });
}

function optionOf({ flags, description, choices, default: value, required }: NonNullable<CommandSpec['options']>[0]) {
  const option = new Option(flags, description);
  if (choices !== undefined) option.choices([...choices]);
  if (value !== undefined) option.default(value);
  return required === true ? option.makeOptionMandatory() : option;
}

function inputOf(command: Command): CommandInput {
  const { json, ...options } = command.optsWithGlobals<Record<string, string | boolean | undefined>>();
  const args = command.processedArgs.flatMap((argument: unknown) =>
    (Array.isArray(argument) ? argument : [argument]).filter((each): each is string => typeof each === 'string'),
  );
  return { args, options, json: json === true };
}
