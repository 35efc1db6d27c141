/** Part of `npm run lint`: no folder of source holds more files than a reader can keep in view. */
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { main, root, StepFailed } from './run.mjs';

const MAX_FILES = 22;
const ignored = new Set(['node_modules', 'dist', 'coverage', 'test']);

await main(async () => {
  const tooLarge = [];
  for (const top of ['packages', 'examples', 'scripts']) await findTooLarge(join(root, top), tooLarge);
  if (tooLarge.length === 0) return 0;
  const lines = tooLarge.map(({ folder, count }) => `- ${relative(root, folder)}: ${count} source files`);
  throw new StepFailed(
    `Folders with more than ${MAX_FILES} source files:\n${lines.join('\n')}\nDivide each by subject; see CONTRIBUTING.md, "Code".`,
  );
});

async function findTooLarge(folder, folders) {
  const entries = await readdir(folder, { withFileTypes: true });
  const sources = entries.filter((entry) => entry.isFile() && isSource(entry.name));
  if (sources.length > MAX_FILES) folders.push({ folder, count: sources.length });
  for (const entry of entries) {
    if (entry.isDirectory() && !ignored.has(entry.name)) await findTooLarge(join(folder, entry.name), folders);
  }
}

function isSource(name) {
  return /\.(ts|tsx|mjs|js)$/.test(name) && !/\.test\.tsx?$/.test(name);
}
