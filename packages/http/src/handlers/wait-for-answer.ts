/** Waits for the answer of another instance, at most until the server shuts down. */
import type { Caller, PolicyEngine, RemoteRequest } from '@blockwork/core';

interface Waiting {
  readonly engine: PolicyEngine;
  readonly caller: Caller;
  readonly stopping: AbortSignal;
}

/** The request once it is closed, or its current state after `ms` milliseconds or on shutdown. */
export async function waitForAnswer(
  { engine, caller, stopping }: Waiting,
  messageId: string,
  ms = 0,
): Promise<RemoteRequest> {
  const { requests } = engine;
  if (ms === 0 || stopping.aborted) return requests.waitForAnswer(caller, messageId, 0);
  let stop = (): void => undefined;
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
    stopping.addEventListener('abort', stop, { once: true });
  });
  const now = stopped.then(() => requests.waitForAnswer(caller, messageId, 0));
  // Only the first of the two is used.
  now.catch(() => undefined);
  return Promise.race([requests.waitForAnswer(caller, messageId, ms), now]).finally(() =>
    stopping.removeEventListener('abort', stop),
  );
}
