/** A time at which a policy continues by itself: the tick of a block, or a retry after a failure. */
import type { Json } from './json/json.js';

export type Timer = TickTimer | RetryTimer | StatusTimer | RestoreTimer;

interface Due {
  /** `<policyId>/<type>`, and for those of a block `/` and more: `policyIdOfTimer` reads it. */
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

/** The store has dropped timers of the policy: those that its blocks and its record declare are set again. */
export interface RestoreTimer extends Due {
  type: 'restore';
}

export const restoreTimer = (policyId: string): RestoreTimer => ({
  id: `${policyId}/restore`,
  type: 'restore',
  policyId,
  due: 0,
});

/** `undefined` where the id does not say it without doubt, as of a policy whose own id has a slash. */
export const policyIdOfTimer = (id: string): string | undefined =>
  /^([^/]+)\/(?:tick\/|retry\/|(?:discontinue|restore)$)/.exec(id)?.[1];
