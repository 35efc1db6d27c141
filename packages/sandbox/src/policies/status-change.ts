/** Responses to status changes and imports, in the reference's format. */
import type { Finding, PolicyStatusChange } from '@blockwork/core';

/** The findings of severity error, by block. */
export interface ReferenceErrors {
  readonly errors: readonly string[];
  readonly blocks: readonly {
    readonly id: string;
    readonly name: string;
    readonly isValid: boolean;
    readonly errors: readonly string[];
  }[];
}

export function referenceErrors(findings: readonly Finding[]): ReferenceErrors {
  const errors: string[] = [];
  const blocks = new Map<string, { id: string; name: string; isValid: boolean; errors: string[] }>();
  for (const { severity, message, block, tag } of findings) {
    if (severity !== 'error') continue;
    if (block === undefined) {
      errors.push(message);
    } else {
      const entry = blocks.get(block) ?? { id: block, name: tag ?? '', isValid: false, errors: [] };
      entry.errors.push(message);
      blocks.set(block, entry);
    }
  }
  return { errors, blocks: [...blocks.values()] };
}

/** The answer with the members of the reference added, among them the caller's whole list. */
export const asReference = (change: PolicyStatusChange, policies: readonly object[]): object => ({
  ...change,
  policies,
  errors: referenceErrors(change.findings),
});
