/** How most working blocks end: continue the run, release the step, refresh the grid. */
import { REFRESH, RELEASE, RUN, type EventData, type RunContext } from '../block-api/index.js';
import type { PolicyUser } from '../access/index.js';

/**
 * Emits the three standard outputs as `user`, in the order of the reference (engine, section 7). `result` is the
 * block's result for the data, such as the presentation of a mint.
 */
export function passOn(ctx: RunContext, data: EventData, user: PolicyUser = ctx.user, result: EventData = null): void {
  ctx.emit(RUN, data, { user, result });
  ctx.emit(RELEASE, null, { user });
  ctx.emit(REFRESH, data, { user });
}
