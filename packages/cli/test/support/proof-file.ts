/** A file with the proof of a mint. */
import { writeFile } from 'node:fs/promises';
import { provenMint } from '../../../../test/support/proven-mint.js';

/** Resolves to the text of the file. */
export async function proofFile(path: string, options: Parameters<typeof provenMint>[1] = {}): Promise<string> {
  const { engine, mint } = await provenMint(undefined, options);
  await engine.close();
  const text = JSON.stringify(mint);
  await writeFile(path, text);
  return text;
}
