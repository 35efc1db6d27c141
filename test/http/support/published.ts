/** A policy that is published: others can be offered nothing less. */
import type { Caller, PolicyEngine } from '@blockwork/core';

/** Resolves with its id. */
export async function published(engine: PolicyEngine, owner: Caller, source: object): Promise<string> {
  const { policy } = await engine.importPolicy(owner, source);
  const { isValid, findings } = await engine.lifecycle.publish(owner, policy.id, '1.0.0');
  if (!isValid) throw new Error(`The policy cannot be published: ${JSON.stringify(findings)}`);
  return policy.id;
}
