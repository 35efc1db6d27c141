/** What most working blocks do when they are done: the run goes on, the step is released, the grid refreshes. */
import { REFRESH, RELEASE, RUN, type Json, type PolicyUser, type RunContext } from '@blockwork/core/block';

/** The three outputs in the order of the reference (section 7); `result` is what the block made of the data. */
export function passOn(ctx: RunContext, data: Json, user: PolicyUser = ctx.user, result: Json = null): void {
  ctx.emit(RUN, data, { user, result });
  ctx.emit(RELEASE, null, { user });
  ctx.emit(REFRESH, data, { user });
}
