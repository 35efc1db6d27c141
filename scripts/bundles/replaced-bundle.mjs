/** Puts a bundle that was written elsewhere in the place of the one before it, while programs run from that one. */
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Resolves to the names of the new files, and to `null` where the bundle in the folder `dist/<name>` was made from `wanted` and is
 * whole. `write` puts a bundle into the empty folder that it is given, and resolves to the names of its files; `entry` is the one
 * that leads to the others. A note beside the bundle, `.<name>-build`, says what it was made from.
 */
export async function replacedBundle({ dist, name, entry, wanted, write }) {
  const [place, note] = [join(dist, name), join(dist, `.${name}-build`)];
  const { sources, files: before = [] } = await noteIn(note);
  const there = await filesBelow(place);
  if (sources === wanted && before.every((file) => there.includes(file))) return null;
  await mkdir(dist, { recursive: true });
  const fresh = await mkdtemp(join(dist, `.${name}-`));
  try {
    const files = await write(fresh);
    await moveFiles(fresh, place, files, entry);
    // A program that runs may yet load a file of the bundle that it began with. Two changes later, that is hardly so.
    const outputs = [...files, ...before];
    // Another that bundles the same removes the same.
    await Promise.all(
      there.filter((file) => !outputs.includes(file)).map((file) => rm(join(place, file), { force: true })),
    );
    await writeFile(`${fresh}/note`, JSON.stringify({ sources: wanted, files }));
    await rename(`${fresh}/note`, note);
    return files;
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** Of a bundle that there is not, or of one whose note cannot be read, nothing is known. */
async function noteIn(path) {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return {};
  }
}

/** File by file, what others load before what loads them: a program that starts meanwhile finds what it asks for. */
async function moveFiles(fresh, place, files, entry) {
  for (const file of [...files.filter((each) => each !== entry), entry]) {
    await mkdir(dirname(join(place, file)), { recursive: true });
    await rename(join(fresh, file), join(place, file));
  }
}

/** Paths below the folder with `/` between their parts; none where it is not there. */
export async function filesBelow(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, '/').length).replaceAll('\\', '/'));
}
