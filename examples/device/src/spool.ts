/** Signed but unacknowledged credentials, one file each, so that nothing is lost on power failure. */
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { Credential } from './device-key.js';

export interface Spooled {
  /** Sorts by age. */
  readonly name: string;
  readonly credential: Credential;
}

export class Spool {
  private constructor(private readonly folder: string) {}

  static async open(folder: string): Promise<Spool> {
    await mkdir(folder, { recursive: true });
    return new Spool(folder);
  }

  /** Resolves once the credential is on disk. */
  async put(name: string, credential: Credential): Promise<void> {
    const path = join(this.folder, name);
    const file = await open(`${path}.part`, 'w');
    try {
      await file.writeFile(JSON.stringify(credential));
      await file.datasync();
    } finally {
      await file.close();
    }
    // A partially written file keeps its temporary name.
    await rename(`${path}.part`, path);
  }

  /** Oldest first. */
  async *all(): AsyncGenerator<Spooled, void> {
    const names = (await readdir(this.folder)).filter((name) => !name.endsWith('.part')).sort();
    for (const name of names) {
      yield { name, credential: JSON.parse(await readFile(join(this.folder, name), 'utf8')) as Credential };
    }
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.folder, name));
  }
}
