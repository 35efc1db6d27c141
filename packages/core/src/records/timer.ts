/** A moment at which a policy continues by itself: the tick of a block, or a retry after a failure. */
import type { Json } from './json/json.js';

export type Timer = TickTimer | RetryTimer | StatusTimer;

interface Due {
  id: string;
  policyId: string;
  /** Milliseconds since 1970. */
  due: number;
}

/** The next tick of a block with a timetable; one per such block of a running policy. */
export interface TickTimer extends Due {
  type: 'tick';
  tag: string;
}

/** An event that a block failed on and that the policy retries. */
export interface RetryTimer extends Due {
  type: 'retry';
  tag: string;
  attempt: number;
  event: {
    input: string;
    output: string;
    source: string;
    data: Json;
    /** What rode along with the event; absent where there was nothing. */
    carried?: Json;
    user: { did: string; group: string | null };
  };
}

/** The date at which a policy is discontinued. */
export interface StatusTimer extends Due {
  type: 'discontinue';
}
