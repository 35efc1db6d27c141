/** Which policies can be read and written, by status. */
import { BlockworkError } from '../errors.js';
import type { PolicyStatus } from '../records/index.js';
import type { OpenPolicy } from './compiled-policy-cache.js';

const running: ReadonlySet<PolicyStatus> = new Set(['DRAFT', 'DRY-RUN', 'PUBLISH', 'DEMO']);

const ticking: ReadonlySet<PolicyStatus> = new Set(['DRY-RUN', 'PUBLISH', 'DEMO']);

export function assertReadable({ id, record }: OpenPolicy): void {
  if (record.status === 'PUBLISH_ERROR') refuse('POLICY_NOT_READABLE', id, record.status);
}

export function assertRunning({ id, record }: OpenPolicy): void {
  if (!running.has(record.status)) refuse('POLICY_NOT_RUNNING', id, record.status);
}

function refuse(code: 'POLICY_NOT_READABLE' | 'POLICY_NOT_RUNNING', policyId: string, status: string): never {
  throw new BlockworkError(code, { facts: { policyId, status } });
}

/** Whether the policy's timers fire. A draft only reacts to calls. */
export const isTicking = ({ record }: OpenPolicy): boolean => ticking.has(record.status);
