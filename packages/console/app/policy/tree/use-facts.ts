/** What is known about the blocks beyond their configuration, updated live. */
import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useLive } from '../../live/live-mark.js';
import { findingsByBlock, useFindings } from '../use-findings.js';
import type { BlockFacts } from './block-marks.js';
import { useLatestUnits, usePendingWork } from './block-queries.js';
import { latestOf } from './latest-units.js';
import { tonesOf, type Colouring } from './tones.js';
import type { BlockNode } from './tree-model.js';
import type { PendingWork } from './pending-work.js';

interface FactsOptions {
  readonly policyId: string;
  readonly root: BlockNode;
  readonly isOwner: boolean;
  readonly colouring: Colouring;
  /** By tag; of a unit, the numbers of its steps. */
  readonly steps: BlockFacts['path'] | undefined;
}

interface Facts {
  readonly facts: BlockFacts;
  readonly work: UseQueryResult<PendingWork>;
}

const noSteps: BlockFacts['path'] = new Map();

export function useFacts({ policyId, root, isOwner, colouring, steps = noSteps }: FactsOptions): Facts {
  const moved = useLive().activity.get(policyId);
  const work = usePendingWork(policyId, isOwner);
  const findings = useFindings(policyId);
  const recent = useLatestUnits(policyId, isOwner);
  const facts = useMemo(
    (): BlockFacts => ({
      work: work.data,
      findings: findingsByBlock(findings.data),
      latestUnits: latestOf(recent, moved?.latestUnits),
      latest: moved?.last.revision,
      tones: tonesOf(root, colouring, work.data),
      path: steps,
    }),
    [work.data, findings.data, recent, moved, root, colouring, steps],
  );
  return { facts, work };
}
