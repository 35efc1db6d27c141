/** Processor time that the backends of a database take, which run on this machine: others are not counted. */
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/** The unit of the times that `/proc` tells. */
const TICK_MICROSECONDS = 1_000_000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

export class BackendTime {
  #database;
  /** Ticks by backend, as last seen: one that has ended keeps its own. */
  #ticks = new Map();

  /** `database`: as of `temporaryDatabase`. */
  constructor(database) {
    this.#database = database;
  }

  /** Microseconds so far. Called often enough, it misses nothing of connections that a pool closes when they are idle. */
  async read() {
    const { rows } = await this.#database.query(
      'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    for (const { pid } of rows) {
      // It may have ended meanwhile.
      const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
      const [user, system] =
        text
          ?.slice(text.lastIndexOf(')') + 2)
          .split(' ')
          .slice(11, 13) ?? [];
      if (system !== undefined) this.#ticks.set(pid, Number(user) + Number(system));
    }
    return [...this.#ticks.values()].reduce((sum, count) => sum + count, 0) * TICK_MICROSECONDS;
  }
}
