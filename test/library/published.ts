/** All published policies that the environment names: those with scenarios, and those of the library. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { library } from './library.js';

const real = process.env['BLOCKWORK_REAL_POLICIES'];
const folders = [...(real === undefined ? [] : [real]), ...(library === undefined ? [] : [join(library, 'policies')])];

/** Paths of `.policy` files; none where neither variable is set. */
export const publishedPolicies: readonly string[] = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.policy'))
    .map((name) => join(folder, name)),
);
