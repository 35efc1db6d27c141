/** What a data folder of an earlier version says was loaded; now the store itself keeps where its policies came from. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PolicyEngine } from '@blockwork/core';
import { z } from 'zod';
import { startupError } from './startup-error.js';

const content = z.record(z.string(), z.object({ policyId: z.string(), documents: z.number().default(0) }));

/** Takes the file over into the store of the engine, and removes it. */
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
