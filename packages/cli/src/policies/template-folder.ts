/** Templates of one's own: the policies of a folder, read when somebody asks for them, and again after they were changed. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { LogFields, Logger, PolicyTemplate } from '@blockwork/core';
import { isObject, type JsonObject } from '@blockwork/core/records';
import { policyValue } from './read-source.js';

const ENDING = '.policy.json';
const FILES_AT_MOST = 100;
const BYTES_AT_MOST = 4 * 1024 * 1024;
/** Of all files together. */
const FOLDER_BYTES_AT_MOST = 32 * 1024 * 1024;

interface ReadFile {
  /** What tells a changed file from the one that was read. */
  readonly state: string;
  /** `null`: it is no template, which was logged. */
  readonly template: PolicyTemplate | null;
}

export class TemplateFolder {
  #read: ReadonlyMap<string, ReadFile> = new Map();
  /** What was logged of the folder as a whole; empty if all is well. */
  #told = '';

  constructor(
    private readonly folder: string,
    private readonly logger: Logger,
  ) {}

  /**
   * In the order of their names. A file that cannot be read, or is too much, is left out and logged, once for each change of it; so are
   * a folder that cannot be read, and one with too many files.
   */
  async list(): Promise<readonly PolicyTemplate[]> {
    const before = this.#read;
    const read = new Map<string, ReadFile>();
    let bytes = 0;
    for (const file of await this.#files()) {
      const { size, mtimeMs } = await stat(join(this.folder, file)).catch(() => ({ size: 0, mtimeMs: 0 }));
      const tooMuch = limitOf(size, bytes);
      const state = `${String(size)} ${String(mtimeMs)} ${tooMuch ?? ''}`;
      const known = before.get(file);
      read.set(file, known?.state === state ? known : { state, template: await this.#template(file, tooMuch) });
      if (tooMuch === undefined) bytes += size;
    }
    this.#read = read;
    return [...read.values()].flatMap(({ template }) => template ?? []);
  }

  async #files(): Promise<readonly string[]> {
    try {
      const files = (await readdir(this.folder)).filter((file) => file.endsWith(ENDING)).sort();
      const left = files.length - FILES_AT_MOST;
      this.#tell(left > 0 ? `Only the first ${String(FILES_AT_MOST)} templates are offered.` : '', { left });
      return files.slice(0, FILES_AT_MOST);
    } catch (error) {
      this.#tell('The folder of templates cannot be read.', { error });
      return [];
    }
  }

  #tell(problem: string, fields: LogFields): void {
    if (problem !== '' && problem !== this.#told) this.logger.warn(problem, { folder: this.folder, ...fields });
    this.#told = problem;
  }

  async #template(file: string, tooMuch: string | undefined): Promise<PolicyTemplate | null> {
    try {
      if (tooMuch !== undefined) throw new Error(tooMuch);
      return templateOf(file, policyValue(await readFile(join(this.folder, file), 'utf8'), file));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.logger.warn('A template is left out.', { folder: this.folder, file, reason });
      return null;
    }
  }
}

function limitOf(size: number, bytesBefore: number): string | undefined {
  if (size > BYTES_AT_MOST) return `It is larger than ${String(BYTES_AT_MOST)} bytes.`;
  return bytesBefore + size > FOLDER_BYTES_AT_MOST
    ? `It and those before it are larger than ${String(FOLDER_BYTES_AT_MOST)} bytes.`
    : undefined;
}

/** Named after its file, and described as the policy is. */
function templateOf(file: string, policy: unknown): PolicyTemplate {
  if (!isObject(policy) || !isObject(policy['config'])) throw new Error('It is no policy: it has no "config".');
  const name = file.slice(0, -ENDING.length);
  const { name: title, description } = policy;
  return {
    name,
    title: typeof title === 'string' && title !== '' ? title : name,
    description: typeof description === 'string' ? description : '',
    policy: { ...policy, config: withoutIds(policy['config'] as JsonObject) },
  };
}

/** Each policy that is made from a template has blocks of its own. */
function withoutIds({ id: _, ...block }: JsonObject): JsonObject {
  const { children } = block;
  if (!Array.isArray(children)) return block;
  return { ...block, children: children.map((child) => (isObject(child) ? withoutIds(child) : child)) };
}
