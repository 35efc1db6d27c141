/** JSON files written by hand: errors name the file and the position in it. */
import { readFile } from 'node:fs/promises';
import type { DocumentInput } from '@blockwork/core';
import { documentInput } from '@blockwork/core/records';
import { z } from 'zod';
import { parseJsonText } from '../line/json-text.js';
import { startupError } from './startup-error.js';

export async function jsonIn(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8');
  try {
    return parseJsonText(text);
  } catch (error) {
    throw startupError(`${path} is not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The documents in a file; `undefined` if it does not exist. */
export async function documentsIn(path: string): Promise<DocumentInput[] | undefined> {
  const content = await jsonIn(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
  if (content === undefined) return undefined;
  const read = z.array(documentInput).safeParse(content);
  if (read.success) return read.data;
  const [first] = read.error.issues;
  throw startupError(`${path} is not a list of documents: /${first?.path.join('/') ?? ''} ${first?.message ?? ''}`);
}
