/** Routes for registries only. */
import type { Caller } from '@blockwork/core';
import { SandboxError } from '../errors.js';
import type { SandboxCall } from './endpoint.js';
import { callerOf } from './person.js';

/** Rejects with `REGISTRY_ONLY`. */
export async function registryOnly(call: SandboxCall): Promise<void> {
  const { account, caller } = await call.person();
  if ((account?.role ?? caller?.role) !== 'STANDARD_REGISTRY') throw new SandboxError('REGISTRY_ONLY');
}

/** The registry that calls. Rejects with `REGISTRY_ONLY`, `NO_IDENTITY`. */
export async function registryOf(call: SandboxCall): Promise<Caller> {
  await registryOnly(call);
  return callerOf(await call.person());
}
