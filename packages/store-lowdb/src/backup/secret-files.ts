/** Reads and writes the secrets that a backup can include: the seed of the engine's keys, and the key of the instance, if it has one. */
import { dirname, join } from 'node:path';
import { replaceFile } from '../files/atomic-file.js';
import type { FileSystem } from '../files/file-system.js';
import { folderOption, invalidOption } from '../files/folder-option.js';

/** The file name of the seed in a backup, and beside the store of the server. */
export const keySeedName = 'key-seed';
/** What signs for the instance towards its peers, beside the seed. A server that is linked to none has no such file. */
const instanceKeyName = 'instance-key';

export interface Secrets {
  readonly seed: Buffer;
  readonly instanceKey: Buffer | undefined;
}

/** `path`: the file of the seed; the instance key lies beside it. Rejects with `OPTION_INVALID` if there is no seed. */
export async function readSecrets(files: FileSystem, option: string, path: string): Promise<Secrets> {
  const file = folderOption(option, path);
  const seed = await files.read(file);
  if (seed === undefined) throw invalidOption(option, `${file} does not exist`);
  return { seed, instanceKey: await files.read(instanceKeyBeside(file)) };
}

/** Never replaces other secrets, which would be lost. Writes both or, if one of them is another, neither. */
export async function writeSecrets(files: FileSystem, option: string, path: string, secrets: Secrets): Promise<void> {
  const file = folderOption(option, path);
  const written = [
    { name: file, content: secrets.seed, what: 'another seed of keys' },
    { name: instanceKeyBeside(file), content: secrets.instanceKey, what: 'the key of another instance' },
  ];
  const missing: { name: string; content: Buffer }[] = [];
  for (const { name, content, what } of written) {
    if (content === undefined) continue;
    const bytes = await files.read(name);
    if (bytes === undefined) missing.push({ name, content });
    else if (!bytes.equals(content)) throw invalidOption(option, `${name} is ${what}; move it away first`);
  }
  for (const { name, content } of missing) await replaceFile(files, name, [content]);
  if (missing.length > 0) await files.syncFolder(dirname(file));
}

export const keySeedIn = (backup: string): string => join(backup, keySeedName);

const instanceKeyBeside = (seed: string): string => join(dirname(seed), instanceKeyName);
