/** The version that a policy is published under (reference engine, section 1.4). */
import { BlockworkError } from '../errors.js';

const format = /^\d{1,9}(\.\d{1,9}){0,2}$/;

/**
 * Normalizes a version of one to three numbers to three; must be higher than `previous`, if that is a version. Throws
 * `VERSION_INVALID`.
 */
export function publishedVersion(policyId: string, version: unknown, previous: unknown): string {
  const refuse = (reason: string): never => {
    throw new BlockworkError('VERSION_INVALID', { facts: { policyId, reason } });
  };
  if (version === undefined || version === null || version === '') return refuse('policyVersion is missing');
  if (typeof version !== 'string' || !format.test(version)) {
    return refuse('policyVersion must be one to three numbers with points between them, such as "1.0.0"');
  }
  if (typeof previous === 'string' && format.test(previous) && compareVersions(version, previous) <= 0) {
    return refuse(`policyVersion ${version} is not higher than ${previous}, which was published before`);
  }
  return [...version.split('.'), '0', '0'].slice(0, 3).join('.');
}

/** The next version: the last number incremented. Text that is not a version counts as 0.0.0. */
export function versionAfter(version: string): string {
  const parts = (format.test(version) ? version : '0.0.0').split('.').map(Number);
  return parts.map((part, at) => (at === parts.length - 1 ? part + 1 : part)).join('.');
}

/** Missing parts count as 0. */
export function compareVersions(a: string, b: string): number {
  const [numbers, right] = [a, b].map((version) => version.split('.').map(Number));
  for (let at = 0; at < 3; at += 1) {
    const difference = (numbers?.[at] ?? 0) - (right?.[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
