/** The pending work of a block, as counted by the server. */
import type { PolicyClient } from '@blockwork/client';

export type WaitingAtBlock = ReturnType<PolicyClient['waiting']> extends AsyncGenerator<infer Item> ? Item : never;
/** By UUID. */
export type Waiting = ReadonlyMap<string, WaitingAtBlock>;

/** Of a block, what somebody or something has to do about; its documents alone are none of it. */
export const waitsFor = ({ decisions = 0, gathered = 0, requests = 0, retries = 0 }: Partial<WaitingAtBlock>): number =>
  decisions + gathered + requests + retries;
