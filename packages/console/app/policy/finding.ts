/** A finding of a policy, as the server tells it. */
import type { PolicyClient } from '@blockwork/client';

export type Finding = Awaited<ReturnType<PolicyClient['findings']>>[number];
