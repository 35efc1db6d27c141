/** A program that commits until there is no room left, and prints what it has committed, why it ended, and what is there after reopening. */
import { BlockworkError } from '@blockwork/core/adapter';
import { openLowdbStore } from '../../src/index.js';

/** What it prints. */
export interface Filled {
  readonly written: number;
  /** Of the error of the last commit. */
  readonly code: string;
  readonly kept: number;
}

const content = 'x'.repeat(10 * 1024);

async function run(folder: string): Promise<void> {
  const store = await openLowdbStore({ folder });
  let written = 0;
  let code = '';
  while (code === '') {
    const value = { id: String(written), name: '', extension: '', content };
    const changes = [{ op: 'put', kind: 'artifact', partition: 'p', value } as const];
    await store.commit({ expect: {}, changes }).then(
      () => (written += 1),
      (error: unknown) => (code = error instanceof BlockworkError ? error.code : String(error)),
    );
  }
  await store.close();
  const reopened = await openLowdbStore({ folder });
  const kept = await reopened.count('artifact', 'p');
  await reopened.close();
  process.stdout.write(JSON.stringify({ written, code, kept } satisfies Filled));
}

const [folder] = process.argv.slice(2);
if (folder !== undefined && process.argv[1]?.endsWith('filling-writer.mjs')) await run(folder);
