/** Migrates the record of loaded files from data folders of earlier versions; it is now part of the store. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PolicyEngine } from '@blockwork/core';
import { z } from 'zod';
import { startupError } from './startup-error.js';

const content = z.record(z.string(), z.object({ policyId: z.string(), documents: z.number().default(0) }));

/** Moves the content of the file into the engine's store. */
export async function takeOverLoadedFiles(engine: PolicyEngine, folder: string): Promise<void> {
  const path = join(folder, 'loaded.json');
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return;
  const { origins } = engine.program;
  for (const [file, { policyId, documents }] of Object.entries(parse(text, path))) {
    if ((await origins.get(file)) === undefined) await origins.note({ id: file, policyId, documents });
  }
  await rm(path);
}

function parse(text: string, path: string): z.infer<typeof content> {
  try {
    return content.parse(JSON.parse(text));
  } catch {
    throw startupError(`${path} is damaged. Delete it; policies are then loaded again beside those in the store.`);
  }
}
