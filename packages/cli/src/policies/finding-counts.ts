/** The numbers of errors and warnings among findings; information is neither. */
import type { Finding } from '@blockwork/core';

export interface FindingCounts {
  readonly errors: number;
  readonly warnings: number;
}

export const countFindings = (findings: readonly Finding[]): FindingCounts => ({
  errors: findings.filter(({ severity }) => severity === 'error').length,
  warnings: findings.filter(({ severity }) => severity === 'warning').length,
});
