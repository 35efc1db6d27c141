/** The library of published policies and modules that the environment names. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A folder with `policies` and `modules`; `undefined` where `BLOCKWORK_POLICY_LIBRARY` is not set. */
export const library = process.env['BLOCKWORK_POLICY_LIBRARY'];

if (library === undefined) {
  process.stderr.write('Skipped: tests over the policy library. BLOCKWORK_POLICY_LIBRARY names no folder of it.\n');
}

export const libraryFile = (kind: 'policies' | 'modules', name: string): Uint8Array =>
  new Uint8Array(readFileSync(join(library ?? '.', kind, name)));
