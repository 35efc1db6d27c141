/** Writes the policy as a file that the command line checks, tests and serves. */
import { mkdir, writeFile } from 'node:fs/promises';
import { policy } from './policy.js';

const folder = new URL('policies/', import.meta.url);
await mkdir(folder, { recursive: true });
await writeFile(new URL('{{name}}.policy.json', folder), `${JSON.stringify(policy, null, 2)}\n`);
