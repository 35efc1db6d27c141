/** Follows the tutorial to the letter in an empty folder, with packages from a registry on this machine. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../run.mjs';
import { freePort } from '../free-port.mjs';
import { missingLines, patched, stepsOf } from './page.mjs';
import { Terminal } from './terminal.mjs';

/** The port that the page names. It is the only thing that is replaced, by one that is free here. */
const writtenPort = '3000';

/**
 * Resolves to the problems: the first step that is not as the page says ends it. `folder` is made; packages come from the
 * registry.
 */
export async function followTutorial(folder, registry) {
  await mkdir(folder);
  const port = String(await freePort());
  const page = await readFile(join(root, 'docs', 'tutorial.md'), 'utf8');
  const steps = stepsOf(page.replaceAll(`127.0.0.1:${writtenPort}`, `127.0.0.1:${port}`));
  const reader = new Reader(folder, {
    BLOCKWORK_PORT: port,
    npm_config_registry: registry,
    // Tarballs of other packages come from where their registry says.
    npm_config_replace_registry_host: 'never',
  });
  try {
    for (const step of steps) {
      const problem = await reader.follow(step).catch((error) => error.message);
      if (problem !== undefined) return [`docs/tutorial.md, line ${step.line}: ${problem}`];
    }
    return [];
  } finally {
    reader.close();
  }
}

class Reader {
  #terminals = new Map();
  #printed = '';

  constructor(folder, env) {
    this.folder = folder;
    this.env = env;
  }

  /** Resolves to what is wrong, or to nothing. */
  async follow(step) {
    if (step.file !== undefined) return this.#write(step);
    if (step.language === 'text') return this.#compare(step.code);
    if (step.language !== 'sh') return `a block of ${step.language} without a file`;
    return step.terminal === undefined ? this.#run(step) : this.#start(step);
  }

  close() {
    for (const terminal of this.#terminals.values()) terminal.close();
  }

  async #write({ file, language, code }) {
    const path = join(this.folder, file);
    await writeFile(path, language === 'diff' ? patched(await readFile(path, 'utf8'), code) : code);
  }

  async #run({ code: commands, fails }) {
    const { printed, code } = await this.#terminal('1').run(commands);
    this.#printed = printed;
    // The project is where the first command has gone.
    const [, entered] = /^cd (\S+)$/m.exec(commands) ?? [];
    if (entered !== undefined) this.folder = join(this.folder, entered);
    if ((code !== 0) !== fails) return `ended with ${code}:\n${printed}`;
  }

  async #start({ code, terminal }) {
    const server = this.#terminal(terminal);
    server.start(code);
    this.#printed = await server.until(/^http\S+\/console\//m);
    const [, address] = /^(http\S+\/console\/)/m.exec(this.#printed) ?? [];
    const answer = await fetch(address);
    if (answer.status !== 200) return `the console answers ${answer.status}`;
  }

  #compare(expected) {
    const missing = missingLines(expected, this.#printed);
    return missing.length === 0 ? undefined : `not printed:\n${missing.join('\n')}\nbut:\n${this.#printed}`;
  }

  #terminal(name) {
    const open = this.#terminals.get(name) ?? new Terminal(this.folder, this.env);
    this.#terminals.set(name, open);
    return open;
  }
}
