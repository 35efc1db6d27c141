/** The findings of a draft with what is being typed, before it is saved. */
import { useEffect, useRef, useState } from 'react';
import { useClient } from '../../api/server.js';
import type { Finding } from '../../policy/finding.js';
import type { EditOperation } from '../draft/operations.js';

export interface Checked {
  readonly findings: readonly Finding[];
  /** Checks the draft with these edits; with none, what is saved counts again. */
  readonly check: (operations: readonly EditOperation[]) => void;
}

/** `saved`: the findings of the draft as it is. */
export function useChecked(policyId: string, saved: readonly Finding[]): Checked {
  const { routes } = useClient();
  const [typed, setTyped] = useState<readonly Finding[] | null>(null);
  /** The edits to check next: one check runs at a time, and of those that wait the last one counts. */
  const next = useRef<readonly EditOperation[] | null>(null);
  const latest = useRef<readonly EditOperation[]>([]);
  const isRunning = useRef(false);
  useEffect(() => {
    // They include what was typed, or somebody else's edits.
    next.current = null;
    latest.current = [];
    setTyped(null);
  }, [saved]);
  const run = async (): Promise<void> => {
    isRunning.current = true;
    while (next.current !== null) {
      const operations: readonly EditOperation[] = next.current;
      next.current = null;
      const answer = await routes.checkPolicy({ policyId, body: { operations: [...operations] } }).catch(() => null);
      // What cannot be checked is refused when it is saved, and says why.
      if (answer !== null && latest.current === operations) setTyped(answer.data);
    }
    isRunning.current = false;
  };
  const check = (operations: readonly EditOperation[]): void => {
    latest.current = operations;
    next.current = operations.length === 0 ? null : operations;
    if (operations.length === 0) setTyped(null);
    else if (!isRunning.current) void run();
  };
  return { findings: typed ?? saved, check };
}
