/** Startup failures as one line for the operator. */
import { isBlockworkError } from '@blockwork/core/block';
import { exitCodes } from '../line/exit-codes.js';
import { CommandError } from '../line/failure.js';

export const startupError = (message: string): CommandError =>
  new CommandError(exitCodes.unreadable, message, 'NOT_STARTED');

/** The variables that say where something listens. */
const ofServer = { host: 'BLOCKWORK_HOST', port: 'BLOCKWORK_PORT' };
const ofMetrics = { host: 'BLOCKWORK_METRICS_HOST', port: 'BLOCKWORK_METRICS_PORT' };

/** What failed where metrics are served, told by their variables. */
export function metricsError(error: unknown): unknown {
  const reason = explain(error, ofMetrics);
  return reason === undefined ? error : startupError(reason);
}

/** The line for an expected failure; `undefined` for an unexpected one, whose stack is needed. */
export function explain(error: unknown, variables = ofServer): string | undefined {
  if (error instanceof CommandError || isBlockworkError(error)) return error.message;
  if (!(error instanceof Error)) return undefined;
  const { code, path, syscall, port, address } = error as NodeJS.ErrnoException & { port?: number; address?: string };
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port ?? '?'} of ${address ?? '?'} is in use. Stop what uses it, or set ${variables.port} to another (0: any free one).`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${address ?? 'The host'} is no address of this machine. Set ${variables.host} to one that is.`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOTDIR':
    case 'EEXIST':
    case 'EDQUOT':
    case 'ENOSPC':
      return syscall === 'listen'
        ? `Port ${port ?? '?'} may not be used here (${code}). Set ${variables.port} to another.`
        : `${path ?? 'A file'} cannot be written (${code}). ${remedy(code)}`;
    case 'ENOENT':
      return syscall === 'mkdir' ? `${path ?? 'A folder'} cannot be made (${code}). ${remedy(code)}` : undefined;
    default:
      return undefined;
  }
}

const remedy = (code: string): string =>
  ['ENOSPC', 'EDQUOT'].includes(code)
    ? 'The disk is full: make room, or set BLOCKWORK_DATA to a folder on another one.'
    : 'Set BLOCKWORK_DATA to a folder that can.';
