/** Whether the source maps of a package lead to sources that are in it. */
import { posix } from 'node:path';

const reference = /^\/\/# sourceMappingURL=(.*)$/m;

/** What is wrong with the maps of a package, whose texts are given by path. */
export function sourceMapProblems(files) {
  // The files of pages are for browsers, which get no maps. A bundle would triple in size, and names its sources in its lines.
  const code = [...files].filter(([path]) => /^dist\/(?!(?:app|bundle|site)\/).*\.(js|d\.ts)$/.test(path));
  return code.flatMap(([path, text]) => {
    const [, url] = reference.exec(text) ?? [];
    if (url !== undefined) return mapProblems(files, posix.join(posix.dirname(path), url));
    return path.endsWith('.js') && holdsCode(path, text) ? [`${path} names no source map.`] : [];
  });
}

/** Not where a module only hands on what others export, nor where it is the bundler's own. */
const holdsCode = (path, text) =>
  !/\/rolldown-runtime-[^/]*$/.test(path) &&
  text.replaceAll(/^(?:(?:import|export) \{[^}]*\}.*|\/\/.*)?$/gm, '').trim() !== '';

function mapProblems(files, path) {
  const text = files.get(path);
  if (text === undefined) return [`${path} is named as a source map, but not in the package.`];
  const { sources, sourcesContent = [], sourceRoot = '' } = JSON.parse(text);
  return sources
    .filter((source, n) => {
      const inside = posix.join(posix.dirname(path), sourceRoot, source);
      return typeof sourcesContent[n] !== 'string' && !files.has(inside);
    })
    .map((source) => `${path} refers to ${source}, which is neither in it nor in the package.`);
}
