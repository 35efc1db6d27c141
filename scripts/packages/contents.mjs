/** What may be in a package, and what has to be. */
import { posix } from 'node:path';
import { NOTICES } from './bundled/package.mjs';

const needed = ['package.json', 'README.md', 'LICENSE'];
const modules = /^dist\/[^/]+\.(js|js\.map|d\.ts)$/;
/** Libraries that are loaded at once, when they are first used. */
const libraries = /^dist\/[^/]+\.cjs$/;
/** The files of a page that a package brings. */
const page = /^dist\/app\/(.*\.(html|js|css|svg)|licenses\.md)$/;
/** The documentation that a server shows. */
const documentation = /^dist\/site\/(.*\.(html|js|css|json|svg|webp|wasm|md)|LICENSES\.txt)$/;
/** What a bundled program brings beside its modules. */
const bundled = /^dist\/bundle\/(.*\.c?js|LICENSES\.txt|docs\.json)$/;
/** What programs copy for their users. */
const template = /^templates\//;
const development = /(^|\/)(test|tests|__tests__)\/|\.(test|spec)\./;

/** What is wrong with the files of a package, whose texts are given by path. */
export function contentProblems(files) {
  const manifest = JSON.parse(files.get('package.json') ?? '{}');
  const programs = Object.values(manifest.bin ?? {}).map((path) => path.replace(/^\.\//, ''));
  const allowed = (path) =>
    needed.includes(path) ||
    path === NOTICES ||
    programs.includes(path) ||
    page.test(path) ||
    documentation.test(path) ||
    template.test(path) ||
    bundled.test(path) ||
    libraries.test(path) ||
    (modules.test(path) && !development.test(path));
  return [
    ...needed.filter((path) => !files.has(path)).map((path) => `${path} is missing.`),
    ...[...files.keys()].filter((path) => !allowed(path)).map((path) => `${path} does not belong in the package.`),
    ...programs.flatMap((path) => programProblems(files, path)),
    ...manifestProblems(manifest),
  ];
}

/** A program may have a second choice, so that it runs without a file that it names: only slower. */
function programProblems(files, path) {
  const named = [...(files.get(path) ?? '').matchAll(/new URL\('([^']+)', import\.meta\.url\)/g)];
  return named
    .map(([, relative]) => posix.join(posix.dirname(path), relative))
    .filter((file) => !files.has(file))
    .map((file) => `${path} names ${file}, which is missing.`);
}

const fields = [
  'description',
  'keywords',
  'license',
  'author',
  'homepage',
  'repository',
  'bugs',
  'sideEffects',
  'engines',
];

function manifestProblems(manifest) {
  const { dependencies = {}, peerDependencies = {}, optionalDependencies = {} } = manifest;
  const ranges = Object.entries({ ...dependencies, ...peerDependencies, ...optionalDependencies });
  return [
    ...fields.filter((field) => manifest[field] === undefined).map((field) => `package.json has no "${field}".`),
    ...ranges
      .filter(([, range]) => /^(workspace|catalog|file|link):/.test(range))
      .map(([name, range]) => `package.json asks for ${name} in "${range}", which no registry knows.`),
    ...scriptProblems(manifest.scripts),
  ];
}

const scriptProblems = (scripts = {}) =>
  Object.keys(scripts)
    .filter((name) => /^(pre|post)?install$/.test(name))
    .map((name) => `package.json runs a script on "${name}".`);
