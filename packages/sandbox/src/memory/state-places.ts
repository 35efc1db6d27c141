/** Where the sandbox keeps what a restart must not forget: one file of a folder, or one record of the engine's store. */
import { isBlockworkError, type PolicyStore } from '@blockwork/core';
import { invalidOption, makeFolder } from '@blockwork/core/adapter';
import { INSTANCE, type JsonObject } from '@blockwork/core/records';
import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface StatePlace {
  /** As messages name it. */
  readonly name: string;
  /** The option that names it. */
  readonly option: string;
  /** What the last process wrote, as JSON text; `undefined` if none has. */
  readonly text: string | undefined;
  /** Writes all or nothing. */
  write(content: JsonObject): Promise<void>;
}

const FILE = 'sandbox.json';

/** Reads the file at once, since it only happens at startup. Throws `OPTION_INVALID` for one that cannot be read. */
export function folderPlace(folder: string): StatePlace {
  const name = join(folder, FILE);
  const option = 'sandbox.folder';
  return {
    name,
    option,
    text: textOf(name, option),
    write: async (content) => {
      await makeFolder(folder);
      // Holds hashes of passwords, so it is for its owner only.
      await writeFile(`${name}.tmp`, JSON.stringify(content), { mode: 0o600, flush: true });
      await rename(`${name}.tmp`, name);
    },
  };
}

function textOf(file: string, option: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw invalidOption(option, `${file} cannot be read (${code ?? 'unknown reason'})`, error);
  }
}

const ID = 'sandbox';
const KEY = 'layer-state/sandbox';

/**
 * The option `state` of a sandbox that keeps its accounts in the store of the engine, for one process at a time. Rejects with
 * `STORE_UNAVAILABLE`.
 *
 * @example const sandbox = createSandbox({ secret, state: await sandboxStateIn(store) });
 */
export async function sandboxStateIn(store: PolicyStore): Promise<StatePlace> {
  let revision = await store.revision(KEY);
  const layerState = await store.get('layer-state', INSTANCE, ID);
  return {
    name: 'the record "sandbox" of the store',
    option: 'sandbox.state',
    text: layerState && JSON.stringify(layerState.content),
    write: async (content) => {
      const value = { id: ID, content };
      try {
        await store.commit({
          expect: { [KEY]: revision },
          changes: [{ op: 'put', kind: 'layer-state', partition: INSTANCE, value }],
        });
      } catch (error) {
        if (!isBlockworkError(error, 'CONFLICT')) throw error;
        throw Object.assign(new Error('another process uses it'), { code: 'another process uses it' });
      }
      revision += 1;
    },
  };
}
