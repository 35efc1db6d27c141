/** How a scenario reaches the policy: in process, or by another route with the same answers, such as HTTP. */
import { isBlockworkError, type Json } from '@blockwork/core';
import type { OutsideData, PolicyBench, UserSession } from '@blockwork/testing';

/** Methods throw `ScenarioRefusal` if the engine refuses, and other errors for faults. */
export interface ScenarioAccess {
  read(session: UserSession, tag: string): Promise<Json>;
  send(session: UserSession, tag: string, body: Json): Promise<Json>;
  external(tag: string, data: OutsideData): Promise<void>;
}

/** A refusal by the engine, with its HTTP status, code, message and details. */
export class ScenarioRefusal extends Error {
  constructor(
    readonly status: number,
    reasons: readonly string[],
  ) {
    super(reasons.join('; '));
  }
}

/** Calls the engine directly. */
export function inProcess(bench: PolicyBench): ScenarioAccess {
  return {
    read: (session, tag) => refusing(() => session.read(tag)),
    send: (session, tag, body) => refusing(() => session.send(tag, body)),
    external: (tag, data) => refusing(() => bench.external(tag, data)),
  };
}

/** Runs an action and turns errors of the engine into `ScenarioRefusal`. */
export async function refusing<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!isBlockworkError(error)) throw error;
    const details = error.details.map(({ path, message }) => `${path} ${message}`);
    throw new ScenarioRefusal(error.status, [error.code, error.message, ...details]);
  }
}
