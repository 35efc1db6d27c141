/** Gives the threads of scripts and large calculations a lower priority than the event loop, which answers everybody. */
import { constants, getPriority, platform, setPriority } from 'node:os';

/** Twice the processor time for the event loop, where both want all of it: more would starve scripts on a busy machine. */
const STEP = 3;

/**
 * Lowers the priority of the calling thread. Only on Linux do threads have priorities of their own: elsewhere the call would lower
 * the whole process. Where a sandbox forbids it, the thread keeps the priority that it has.
 */
export function yieldToEventLoop(): void {
  if (platform() !== 'linux') return;
  try {
    setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + STEP));
  } catch (error) {
    if (!isForbidden(error)) throw error;
  }
}

const isForbidden = (error: unknown): boolean =>
  error instanceof Error &&
  'info' in error &&
  ['EPERM', 'EACCES'].includes((error.info as { readonly code: string }).code);
