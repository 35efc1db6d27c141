/** What earlier starts have loaded: a small file in the data folder, from a policy's file to its id. */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { startupError } from './startup-error.js';

const loadedFile = z.object({
  policyId: z.string(),
  findings: z.object({ errors: z.number(), warnings: z.number() }),
  /** How many documents came with it; absent until they are in. */
  documents: z.number().optional(),
});
export type LoadedFile = z.infer<typeof loadedFile>;

const content = z.record(z.string(), loadedFile);

export class LoadedFiles {
  private constructor(
    private readonly path: string,
    private readonly files: Record<string, LoadedFile>,
  ) {}

  static async open(folder: string): Promise<LoadedFiles> {
    const path = join(folder, 'loaded.json');
    const text = await readFile(path, 'utf8').catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '{}';
      throw error;
    });
    try {
      return new LoadedFiles(path, content.parse(JSON.parse(text)));
    } catch {
      throw startupError(`${path} is damaged. Delete it; policies are then loaded again beside those in the store.`);
    }
  }

  get(file: string): LoadedFile | undefined {
    return Object.hasOwn(this.files, file) ? this.files[file] : undefined;
  }

  async set(file: string, facts: LoadedFile): Promise<void> {
    this.files[file] = facts;
    await writeFile(`${this.path}.new`, `${JSON.stringify(this.files, null, 2)}\n`, { flush: true });
    await rename(`${this.path}.new`, this.path);
  }
}
