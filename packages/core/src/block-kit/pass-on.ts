/** The end of most working blocks: the run continues, the step is released, the grid refreshes. */
import { REFRESH, RELEASE, RUN, type EventData, type RunContext } from '../block-api/index.js';
import type { PolicyUser } from '../access/index.js';

/**
 * Emits the three standard outputs, in the order of the reference (engine, section 7), in the name of `user`. `result` is
 * what the block made of the data, such as the presentation of a mint.
 */
export function passOn(ctx: RunContext, data: EventData, user: PolicyUser = ctx.user, result: EventData = null): void {
  ctx.emit(RUN, data, { user, result });
  ctx.emit(RELEASE, null, { user });
  ctx.emit(REFRESH, data, { user });
}
