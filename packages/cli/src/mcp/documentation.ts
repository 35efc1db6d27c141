/** The pages of the documentation that come with the command line. */
import { readFile } from 'node:fs/promises';

/** The pages as one file, two levels below the manifest wherever this module is. `scripts/command-line.mjs` writes it. */
const bundled = new URL('../../dist/bundle/docs.json', import.meta.url);

export interface Page {
  readonly title: string;
  readonly text: string;
}

/** Pages by their addresses, such as `docs/trials.md`; none where they were not written. Rejects if they cannot be read. */
export async function documentation(file: string | URL = bundled): Promise<ReadonlyMap<string, Page>> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '{}';
    throw error;
  });
  return new Map(Object.entries(JSON.parse(text) as Readonly<Record<string, Page>>));
}
