/** Waiting. Nothing else in the engine asks the machine to call it later. */
export interface Timers {
  /**
   * Calls `run` once, `ms` milliseconds from now or a little later, unless the function it returns was called before.
   * A `background` timer does not keep the process from ending.
   */
  after(ms: number, run: () => void, kind?: 'background'): () => void;
}
