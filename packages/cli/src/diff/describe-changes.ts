/** Changes between two policies as text for people. */
import type { PolicyChange } from '@blockwork/core';

const titles: readonly (readonly [PolicyChange['area'], string])[] = [
  ['policy', 'Policy'],
  ['role', 'What roles can do'],
  ['token', 'Tokens and what is minted'],
  ['schema', 'Schemas'],
  ['block', 'Blocks'],
  ['event', 'Events'],
  ['file', 'Files'],
];

/** By area, each change a line. */
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
