/** Secrets from a folder of files, as container platforms mount them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { invalidOption } from '../options/index.js';
import { isSecretName } from '../records/index.js';
import type { Secrets } from '../ports/index.js';

/** `{{secret:PRICES}}` reads the file `PRICES` in the folder, without a trailing line break, for every policy. */
export function fileSecrets(folder: string): Secrets {
  if (typeof folder !== 'string' || folder === '') throw invalidOption('secrets', 'it must name a folder');
  return {
    async get(name) {
      if (!isSecretName(name)) return undefined;
      try {
        return (await readFile(join(folder, name), 'utf8')).replace(/\r?\n$/, '');
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
  };
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';
