/** The licences of the libraries that bundles contain, as the text that has to come with them. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { manifestOf } from '../packages/workspace.mjs';
import { StepFailed } from '../run.mjs';

/** Licences that ask for no more than to be kept with the code. */
const allowed = ['Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'];

/**
 * Empty where there are no libraries. `also`: folders of further ones. Throws where one has none of these licences, or does not bring its
 * text, unless that is `optional`: then its name, version and licence stand alone.
 *
 * @param {{ modules: Record<string, { renderedLength: number }> }[]} chunks
 * @param {{ also?: string[], optional?: boolean }} options
 */
export async function licencesOf(chunks, { also = [], optional = false } = {}) {
  const bundled = chunks.flatMap(({ modules }) => Object.entries(modules).flatMap(libraryOf));
  const libraries = [...new Set([...bundled, ...also])].sort();
  if (libraries.length === 0) return '';
  const texts = await Promise.all(libraries.map((folder) => licenceText(folder, optional)));
  return ['The code of this package contains parts of these libraries.\n', ...[...new Set(texts)]].join(
    `\n${'-'.repeat(80)}\n\n`,
  );
}

/** The folder of the library that a module is from, and nothing for our own and for what the bundler dropped. */
function libraryOf([id, { renderedLength }]) {
  const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id.replaceAll('\\', '/')) ?? [];
  return folder === undefined || renderedLength === 0 ? [] : [folder];
}

async function licenceText(folder, optional) {
  const { name, version, license } = await manifestOf(folder);
  const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|notice)/i.test(file)).sort();
  if (!allowed.includes(license) || (files.length === 0 && !optional))
    throw new StepFailed(
      `A bundle would contain ${name}, whose licence is "${license}" in ${files.length} files: leave it a package.`,
    );
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return `${[`${name} ${version} (${license})`, ...texts.map((text) => text.trim())].join('\n\n')}\n`;
}
