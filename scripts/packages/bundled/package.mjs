/** Turns a package, unpacked as pnpm packed it, into its bundled form. */
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { licencesOf } from '../../bundles/licences.mjs';
import { manifestOf } from '../workspace.mjs';
import { writeCode } from './code.mjs';
import { writeDeclarations } from './declarations.mjs';
import { bundledManifest } from './dependencies.mjs';

/** The licences of the libraries whose code a package contains. */
export const NOTICES = 'THIRD-PARTY-NOTICES.txt';

/** `unpacked` is the folder of the package that is published, `found` what it is made from. */
export async function bundlePackage(workspacePackage, unpacked) {
  const dist = join(unpacked, 'dist');
  await removeModules(dist);
  const code = await writeCode(workspacePackage, dist);
  const declarations = await writeDeclarations(workspacePackage, dist);
  const notices = await licencesOf(code);
  if (notices !== '') await writeFile(join(unpacked, NOTICES), notices);
  const packed = await manifestOf(unpacked);
  // The program of the command line is bundled with all its packages, and imports what they depend on.
  const manifest = packed.bin === undefined ? bundledManifest(packed, [...code, ...declarations]) : packed;
  const files = notices === '' ? manifest.files : [...manifest.files, NOTICES];
  await writeFile(join(unpacked, 'package.json'), `${JSON.stringify({ ...manifest, files }, null, 2)}\n`);
}

/** What the compiler wrote; the page of the console, the bundle of the command line and its documentation stay. */
const STAY = ['app', 'bundle', 'site'];

async function removeModules(dist) {
  const entries = await readdir(dist);
  const modules = entries.filter((name) => !STAY.includes(name));
  await Promise.all(modules.map((name) => rm(join(dist, name), { recursive: true })));
}
