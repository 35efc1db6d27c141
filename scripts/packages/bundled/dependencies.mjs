/** What a bundled package depends on: the packages that its code and its declarations still import. */
import { isBuiltin } from 'node:module';
import { isPackage, packageOf } from '../../bundles/write.mjs';
import { StepFailed } from '../../run.mjs';

/** The manifest with these dependencies only. Throws where one is missing. */
export function bundledManifest(manifest, chunks) {
  const files = new Set(chunks.map(({ fileName }) => fileName));
  const imported = new Set(
    chunks
      .flatMap(namesIn)
      .filter((name) => isLibrary(name) && !files.has(name))
      .map(packageOf),
  );
  const { dependencies = {}, peerDependencies = {} } = manifest;
  const missing = [...imported].filter(
    (name) => name !== manifest.name && !(name in dependencies) && !(name in peerDependencies),
  );
  if (missing.length > 0) {
    throw new StepFailed(`${manifest.name}: its bundle imports what it does not depend on: ${missing.join(', ')}.`);
  }
  const isNeeded = ([name]) => imported.has(name.replace(/^@types\//, ''));
  return { ...manifest, dependencies: Object.fromEntries(Object.entries(dependencies).filter(isNeeded)) };
}

const isLibrary = (name) => isPackage(name) && !isBuiltin(name);

/** What a file imports, at its start or on demand. The bundler lists for declarations also what it dropped. */
function namesIn({ imports, dynamicImports, code, fileName }) {
  if (fileName.endsWith('.d.ts')) return matches(code, /(?:\bfrom |\bimport\()"([^"]+)"/g);
  const onDemand = matches(code, /createRequire\(import\.meta\.url\)(?:\.resolve)?\(["']([^"']+)["']\)/g);
  return [...imports, ...dynamicImports, ...onDemand];
}

const matches = (code, pattern) => [...code.matchAll(pattern)].map(([, name]) => name);
