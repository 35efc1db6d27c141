/** Maps failures of commands to a message and an exit code. */
import { exitCodes, type ExitCode } from './exit-codes.js';

/** An expected failure; only its message is printed. */
export class CommandError extends Error {
  override readonly name = 'CommandError';

  constructor(
    readonly exitCode: ExitCode,
    message: string,
    readonly code = 'COMMAND_FAILED',
  ) {
    super(message);
  }
}

/** Standard output cannot be written: its reader has closed it, or the disk is full. Whoever owns it reports that. */
export class OutputLostError extends Error {
  override readonly name = 'OutputLostError';
}

export interface Failure {
  readonly exitCode: ExitCode;
  /** A stable code for programs. */
  readonly code: string;
  readonly message: string;
}

/** Prefixes a failure with its file, for commands with several files. Other errors are returned unchanged. */
export function failureIn(path: string, error: unknown): unknown {
  const failure = error instanceof Error ? blockworkFailure(error) : undefined;
  return failure === undefined
    ? error
    : new CommandError(failure.exitCode, `${path}: ${failure.message}`, failure.code);
}

/** Other errors are bugs; their stack is printed. */
export function explainFailure(error: unknown): Failure {
  if (error instanceof CommandError) return { exitCode: error.exitCode, code: error.code, message: error.message };
  if (!(error instanceof Error)) return { exitCode: exitCodes.bug, code: 'INTERNAL', message: String(error) };
  return blockworkFailure(error) ?? clientFailure(error) ?? systemFailure(error) ?? bug(error);
}

const bug = (error: Error): Failure => ({
  exitCode: exitCodes.bug,
  code: 'INTERNAL',
  message: `This is a bug in blockwork, not an error in your input.\n${error.stack ?? error.message}`,
});

/** Checked by name, so that help and usage errors do not load the engine. */
function blockworkFailure(error: Error): Failure | undefined {
  if (error.name !== 'BlockworkError' || !('code' in error) || typeof error.code !== 'string') return undefined;
  if (error.code === 'INTERNAL') return undefined;
  const exitCode = exitCodeOf(error.code);
  return { exitCode, code: error.code, message: error.message };
}

function exitCodeOf(code: string): ExitCode {
  if (code === 'OPTION_INVALID') return exitCodes.usage;
  if (code.startsWith('STORE_') || code.startsWith('POLICY_FILE_')) return exitCodes.unreadable;
  return exitCodes.found;
}

function clientFailure(error: Error): Failure | undefined {
  if (error.name !== 'BlockworkApiError' || !('error' in error)) return undefined;
  const code = String(error.error);
  const message = code === 'NO_ANSWER' ? error.message : `The server refused: ${error.message}`;
  return { exitCode: exitCodes.refused, code, message };
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'cannot be accessed: permission denied',
  EPERM: 'cannot be accessed: permission denied',
  EISDIR: 'is a folder',
  ENOTDIR: 'is not a folder',
  EEXIST: 'exists already',
  ENOTEMPTY: 'is not empty',
  ENOSPC: 'cannot be written: the disk is full',
  EDQUOT: 'cannot be written: the disk quota is used up',
  EROFS: 'cannot be written: the file system is read-only',
};

function reasonOf({ code, syscall }: NodeJS.ErrnoException): string | undefined {
  if (code === 'ENOENT' && syscall === 'mkdir') return 'cannot be created';
  return code === undefined ? undefined : reasons[code];
}

function systemFailure(error: NodeJS.ErrnoException): Failure | undefined {
  const reason = reasonOf(error);
  if (reason === undefined || error.code === undefined) return undefined;
  // A write to an open file has no path.
  const path = error.path ?? (error.syscall === 'write' ? 'A file' : undefined);
  if (path === undefined) return undefined;
  return { exitCode: exitCodes.unreadable, code: error.code, message: `${path} ${reason} (${error.code}).` };
}
