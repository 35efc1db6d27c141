/** The libraries whose code is in a packed package, as the licences that come with it say. */

/** Each file that holds licences, with the line in it that names a library. */
const NOTICES = [
  { file: /^(THIRD-PARTY-NOTICES|dist\/(bundle|site)\/LICENSES)\.txt$/, line: /^(\S+) (\d\S*) \((.+)\)$/gm },
  { file: /^dist\/(app|site\/playground)\/licenses\.md$/, line: /^## (\S+) - (\d\S*) \((.+)\)$/gm },
];

/** Whether a file of a package, by its path, holds licences of libraries. */
export const hasLicences = (path) => NOTICES.some(({ file }) => file.test(path));

/**
 * Sorted by name and version, each once.
 *
 * @param {Map<string, string>} files the text of files of the package by their paths
 * @returns {{ name: string, version: string, license: string }[]}
 */
export function containedLibraries(files) {
  const found = new Map();
  for (const [path, text] of files) {
    for (const { file, line } of NOTICES) {
      if (!file.test(path)) continue;
      for (const [, name, version, license] of text.matchAll(line))
        found.set(`${name}@${version}`, { name, version, license });
    }
  }
  return [...found].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, library]) => library);
}
