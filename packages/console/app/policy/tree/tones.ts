/** Block colours, by audience or by pending work. Text next to them always carries the same information. */
import { texts } from '../../texts.js';
import type { BlockNode } from './tree-model.js';
import { waitsFor, type PendingWork } from './pending-work.js';

export const colourings = ['none', 'role', 'work'] as const;
export type Colouring = (typeof colourings)[number];

/** The name of a colour in the style sheet, and its meaning. */
export interface Tone {
  readonly name: string;
  readonly label: string;
}

export interface Tones {
  readonly of: (node: BlockNode) => Tone | undefined;
  readonly legend: readonly Tone[];
}

/** Number of role colours in the style sheet; further roles share the last one. */
const ROLE_TONES = 8;

const nodesIn = (root: BlockNode): BlockNode[] => [root, ...root.children.flatMap(nodesIn)];

export function tonesOf(root: BlockNode, colouring: Colouring, work: PendingWork | undefined): Tones {
  if (colouring === 'role') return roleTones(root);
  if (colouring === 'work') return pendingTones(work);
  return { of: () => undefined, legend: [] };
}

const audience = ({ permissions }: BlockNode): string =>
  permissions.length === 0 ? texts.policy.nobody : permissions.join(', ');

/** The most frequent come first, so that they get their own colours. */
function roleTones(root: BlockNode): Tones {
  const counts = new Map<string, number>();
  for (const node of nodesIn(root)) counts.set(audience(node), (counts.get(audience(node)) ?? 0) + 1);
  const labels = [...counts].sort(([, a], [, b]) => b - a).map(([label]) => label);
  const isShared = labels.length > ROLE_TONES;
  const tones = new Map(
    labels.map((label, at): [string, Tone] => {
      const isOwn = !isShared || at < ROLE_TONES - 1;
      return [
        label,
        { name: `role-${String(Math.min(at, ROLE_TONES - 1))}`, label: isOwn ? label : texts.policy.otherRoles },
      ];
    }),
  );
  const legend = [...new Map([...tones.values()].map((tone) => [tone.name, tone])).values()];
  return { of: (node) => tones.get(audience(node)), legend };
}

function pendingTones(work: PendingWork | undefined): Tones {
  const { failing, waits, holds } = texts.policy.tones;
  const tones = {
    failing: { name: 'failing', label: failing },
    waits: { name: 'waits', label: waits },
    holds: { name: 'holds', label: holds },
  };
  const of = ({ uuid }: BlockNode): Tone | undefined => {
    const counts = work?.get(uuid);
    if (counts === undefined) return undefined;
    if ((counts.retries ?? 0) > 0) return tones.failing;
    if (waitsFor(counts) > 0) return tones.waits;
    return (counts.documents ?? 0) > 0 ? tones.holds : undefined;
  };
  return { of, legend: Object.values(tones) };
}
