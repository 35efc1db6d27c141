/** The files of a package's entry points. */

/** A path for each entry point by its name in `dist`: `index` for the package itself, the subpath for others. */
export function entryFiles({ exports }, pathOf) {
  const names = Object.keys(exports).filter((key) => key !== './package.json');
  return Object.fromEntries(
    names.map((key) => (key === '.' ? 'index' : key.slice(2))).map((name) => [name, pathOf(name)]),
  );
}
