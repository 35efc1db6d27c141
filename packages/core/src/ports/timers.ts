/** Timeouts. The engine's only source of them. */
export interface Timers {
  /**
   * Calls `run` once, `ms` milliseconds from now or a little later, unless the returned function is called first.
   * A `background` timer does not keep the process alive.
   */
  after(ms: number, run: () => void, kind?: 'background'): () => void;
}
