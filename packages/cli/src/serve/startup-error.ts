/** Startup failures as one line for the operator. */
import { isBlockworkError } from '@blockwork/core/block';
import { exitCodes } from '../line/exit-codes.js';
import { CommandError } from '../line/failure.js';

export const startupError = (message: string): CommandError =>
  new CommandError(exitCodes.unreadable, message, 'NOT_STARTED');

/** The variables that configure a listening address. */
const ofServer = { host: 'BLOCKWORK_HOST', port: 'BLOCKWORK_PORT' };
const ofMetrics = { host: 'BLOCKWORK_METRICS_HOST', port: 'BLOCKWORK_METRICS_PORT' };

/** Marks failures of the metrics address, reported with its variables. */
export function metricsError(error: unknown): unknown {
  const reason = explain(error, ofMetrics);
  return reason === undefined ? error : startupError(reason);
}

/** What failures to listen also have: the address, or the host name that has none. */
interface ListenError {
  readonly port?: number;
  readonly address?: string;
  readonly hostname?: string;
}

/** The line for an expected failure; `undefined` for an unexpected one, whose stack is needed. */
export function explain(error: unknown, variables = ofServer): string | undefined {
  if (error instanceof CommandError || isBlockworkError(error)) return error.message;
  if (!(error instanceof Error)) return undefined;
  const { code, path, syscall, port, address, hostname } = error as NodeJS.ErrnoException & ListenError;
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port ?? '?'} of ${address ?? '?'} is in use. Stop the process that uses it, or set ${variables.port} to another port (0: any free one).`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${address ?? hostname ?? 'The host'} is not an address of this machine. Set ${variables.host} to one that is.`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOTDIR':
    case 'EEXIST':
    case 'EDQUOT':
    case 'ENOSPC':
      return syscall === 'listen'
        ? `Port ${port ?? '?'} cannot be used (${code}). Set ${variables.port} to another port.`
        : `${path ?? 'A file'} cannot be written (${code}). ${remedy(code)}`;
    case 'ENOENT':
      return syscall === 'mkdir' ? `${path ?? 'A folder'} cannot be created (${code}). ${remedy(code)}` : undefined;
    default:
      return undefined;
  }
}

const remedy = (code: string): string =>
  ['ENOSPC', 'EDQUOT'].includes(code)
    ? 'The disk is full: free some space, or set BLOCKWORK_DATA to a folder on another disk.'
    : 'Set BLOCKWORK_DATA to a writable folder.';
