/** What is known about the blocks beyond their configuration, updated live. */
import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useLive } from '../../live/live-mark.js';
import { findingsByBlock, useFindings } from '../use-findings.js';
import type { BlockFacts } from './block-marks.js';
import { useRecentTouches, useWaiting } from './block-queries.js';
import { latestOf } from './touches.js';
import { tonesOf, type Colouring } from './tones.js';
import type { BlockNode } from './tree-model.js';
import type { Waiting } from './waiting.js';

interface FactsOptions {
  readonly policyId: string;
  readonly root: BlockNode;
  readonly isOwner: boolean;
  readonly colouring: Colouring;
  /** By tag; of a unit, the numbers of its steps. */
  readonly steps: BlockFacts['way'] | undefined;
}

interface Facts {
  readonly facts: BlockFacts;
  readonly waiting: UseQueryResult<Waiting>;
}

const noSteps: BlockFacts['way'] = new Map();

export function useFacts({ policyId, root, isOwner, colouring, steps = noSteps }: FactsOptions): Facts {
  const moved = useLive().activity.get(policyId);
  const waiting = useWaiting(policyId, isOwner);
  const findings = useFindings(policyId);
  const recent = useRecentTouches(policyId, isOwner);
  const facts = useMemo(
    (): BlockFacts => ({
      waiting: waiting.data,
      findings: findingsByBlock(findings.data),
      touches: latestOf(recent, moved?.touches),
      latest: moved?.last.revision,
      tones: tonesOf(root, colouring, waiting.data),
      way: steps,
    }),
    [waiting.data, findings.data, recent, moved, root, colouring, steps],
  );
  return { facts, waiting };
}
