/** How a scenario reaches the policy: in process, or some other way that gives the same answers. */
import { isBlockworkError, type Json } from '@blockwork/core';
import type { OutsideData, PolicyBench } from '../policy-bench/policy-bench.js';
import type { PolicySeat } from '../policy-bench/policy-seat.js';

/** Each method throws `ScenarioRefusal` where the engine refuses, and anything else where something is broken. */
export interface ScenarioAccess {
  read(seat: PolicySeat, tag: string): Promise<Json>;
  send(seat: PolicySeat, tag: string, body: Json): Promise<Json>;
  external(tag: string, data: OutsideData): Promise<void>;
}

/** The engine refused: with the status that HTTP has for it, and all that it says about why. */
export class ScenarioRefusal extends Error {
  constructor(
    readonly status: number,
    said: readonly string[],
  ) {
    super(said.join('; '));
  }
}

/** Straight to the engine. */
export function inProcess(bench: PolicyBench): ScenarioAccess {
  return {
    read: (seat, tag) => refusing(() => seat.read(tag)),
    send: (seat, tag, body) => refusing(() => seat.send(tag, body)),
    external: (tag, data) => refusing(() => bench.external(tag, data)),
  };
}

/** Carries out an action on the engine; what it refuses becomes a `ScenarioRefusal`. */
export async function refusing<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!isBlockworkError(error)) throw error;
    const details = error.details.map(({ path, message }) => `${path} ${message}`);
    throw new ScenarioRefusal(error.status, [error.code, error.message, ...details]);
  }
}
