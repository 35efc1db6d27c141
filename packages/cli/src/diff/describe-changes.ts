/** Describes the changes between two policies as text. */
import type { PolicyChange } from '@blockwork/core';

const titles: readonly (readonly [PolicyChange['area'], string])[] = [
  ['policy', 'Policy'],
  ['role', 'Permissions of roles'],
  ['token', 'Tokens and minting'],
  ['schema', 'Schemas'],
  ['block', 'Blocks'],
  ['event', 'Events'],
  ['file', 'Files'],
];

/** One line per change, grouped by area. */
export function describeChanges(changes: readonly PolicyChange[]): string {
  if (changes.length === 0) return 'No differences.\n';
  return titles
    .map(([area, title]) => {
      const lines = changes.filter((change) => change.area === area);
      return lines.length === 0
        ? ''
        : `${title}\n${lines.map(({ name, change }) => `  ${name}: ${change}\n`).join('')}`;
    })
    .join('');
}
