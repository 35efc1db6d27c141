/** A terminal: a shell that commands are typed into, one after another. */
import { spawn } from 'node:child_process';

/** For a command that does not end; installing takes a minute or two. */
const timeout = 5 * 60_000;
const end = '__end_of_command__';

export class Terminal {
  #shell;
  #printed = '';
  #listeners = new Set();

  constructor(cwd, env) {
    // A process group of its own, so that what was started in it ends with it.
    this.#shell = spawn('bash', ['--noprofile', '--norc'], { cwd, env: { ...process.env, ...env }, detached: true });
    for (const stream of [this.#shell.stdout, this.#shell.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        this.#printed += text;
        for (const listener of this.#listeners) listener();
      });
    }
  }

  /** Types commands, and resolves when they have ended, to what they printed and the exit code of the first that failed. */
  async run(commands) {
    this.#printed = '';
    this.#shell.stdin.write(`failed=0\ntrap 'failed=$?' ERR\n${commands.trim()}\necho "${end}$failed"\n`);
    const [printed, code] = (await this.until(new RegExp(`${end}\\d+`))).split(end);
    return { printed, code: Number.parseInt(code, 10) };
  }

  /** Types a command that does not end. */
  start(command) {
    this.#printed = '';
    this.#shell.stdin.write(command);
  }

  /** Resolves to what was printed once it matches. */
  until(pattern) {
    return new Promise((resolve, reject) => {
      const done = (settle, value) => {
        clearTimeout(timer);
        this.#listeners.delete(look);
        settle(value);
      };
      const look = () => pattern.test(this.#printed) && done(resolve, this.#printed);
      const late = () => done(reject, new Error(`${pattern} did not come in ${timeout / 1000} s:\n${this.#printed}`));
      const timer = setTimeout(late, timeout);
      this.#listeners.add(look);
      look();
    });
  }

  close() {
    this.#shell.stdin.destroy();
    try {
      process.kill(-this.#shell.pid, 'SIGTERM');
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  }
}
