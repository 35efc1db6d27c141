/** The version that a policy is published under (reference engine, section 1.4). */
import { BlockworkError } from '../errors.js';

const format = /^\d{1,9}(\.\d{1,9}){0,2}$/;

/** One to three numbers; higher than `previous`, where that is one as well. Throws `VERSION_INVALID`. */
export function demandVersion(policyId: string, version: unknown, previous: unknown): asserts version is string {
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
}

/** Missing parts count as 0. */
function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  for (let at = 0; at < 3; at += 1) {
    const difference = (left?.[at] ?? 0) - (right?.[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
