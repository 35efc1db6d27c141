/** The grace at the close of an engine: how long it waits for work that depends on others. */
import type { Logger, Timers } from '../../ports/index.js';

export interface GraceDeps {
  readonly timers: Timers;
  readonly logger: Logger;
  readonly limits: { readonly closeMs: number };
}

export class Grace {
  constructor(private readonly deps: GraceDeps) {}

  /** Resolves when `work` has ended, or the grace has: then `onEnd` is called, and the log names what was left. */
  async until(what: string, work: Promise<unknown> | undefined, onEnd?: () => void): Promise<void> {
    const { timers, logger, limits } = this.deps;
    let disarm = (): void => undefined;
    const isOver = new Promise<true>((resolve) => (disarm = timers.after(limits.closeMs, () => resolve(true))));
    try {
      if ((await Promise.race([work, isOver])) !== true) return;
    } finally {
      disarm();
    }
    logger.warn('The engine closes without waiting any longer.', { for: what, closeMs: limits.closeMs });
    onEnd?.();
  }
}
