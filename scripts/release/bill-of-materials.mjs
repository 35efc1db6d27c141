/**
 * The bill of materials of a release, in CycloneDX 1.6: each package with the libraries whose code it contains, and what
 * it depends on, down to the versions that the release was tested with.
 */
import { Contrib, Enums, Models, Serialize, Spec, Validation } from '@cyclonedx/cyclonedx-library';

export const BILL_OF_MATERIALS = 'sbom.cdx.json';

/** @typedef {import('./locked-packages.mjs').LockedPackage} LockedPackage */

/**
 * Resolves to the text. Throws if it does not follow the schema of CycloneDX.
 *
 * @param {{
 *   version: string,
 *   time: Date,
 *   packages: { manifest: Record<string, any>, sha256: string, sha512: string, contained: { name: string, version: string, license: string }[] }[],
 *   below: (id: string) => Promise<LockedPackage[]>,
 * }} release `below`: a library by `name@version` and all that it depends on
 */
export async function billOfMaterials({ version, time, packages, below }) {
  const release = new Models.Component(Enums.ComponentType.Application, 'blockwork', {
    version,
    bomRef: `blockwork@${version}`,
    licenses: licences('Apache-2.0'),
  });
  const bom = new Models.Bom({ metadata: new Models.Metadata({ component: release, timestamp: time }) });
  const components = new Map(packages.map((each) => [each.manifest.name, ownComponent(each)]));
  const libraries = new Map();
  for (const { manifest } of packages) {
    const component = components.get(manifest.name);
    release.dependencies.add(component.bomRef);
    const { dependencies, optionalDependencies } = manifest;
    for (const [name, range] of Object.entries({ ...dependencies, ...optionalDependencies })) {
      const own = components.get(name);
      if (own === undefined) await addLibraries(libraries, await below(`${name}@${range}`));
      component.dependencies.add((own ?? libraries.get(`${name}@${range}`)).bomRef);
    }
  }
  for (const component of [...components.values(), ...libraries.values()]) bom.components.add(component);
  const text = `${serializer.serialize(bom, { space: 2, sortLists: true })}\n`;
  const problem = await schemaProblem(text);
  if (problem !== null) throw new Error(`The bill of materials does not follow its schema: ${problem}`);
  return text;
}

const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
const validator = new Validation.JsonStrictValidator(Spec.Spec1dot6.version);

/** Resolves to what the schema of CycloneDX 1.6 has against a text, as the library brings it; `null` if nothing. */
export async function schemaProblem(text) {
  const errors = await validator.validate(text);
  return errors === null ? null : JSON.stringify(errors);
}

/** What is inside a package is below its component; it is not installed, so nothing depends on it. */
function ownComponent({ manifest, sha256, sha512, contained }) {
  const { name, version, description, license } = manifest;
  const component = npmComponent({ name, version, license, sha256, sha512 }, `${name}@${version}`);
  component.description = description;
  for (const library of contained)
    component.components.add(npmComponent(library, `${name}@${version}|${library.name}@${library.version}`));
  return component;
}

/** Adds components of libraries that are not there yet, and what they depend on. */
async function addLibraries(libraries, locked) {
  const idOf = ({ name, version }) => `${name}@${version}`;
  const added = locked.filter((each) => !libraries.has(idOf(each)));
  for (const each of added) libraries.set(idOf(each), npmComponent(each, idOf(each)));
  for (const each of added) {
    const { dependencies } = libraries.get(idOf(each));
    for (const id of each.dependencies) dependencies.add(libraries.get(id).bomRef);
  }
}

function npmComponent({ name, version, license, sha256, sha512 }, bomRef) {
  const [, scope, own] = /^(?:(@[^/]+)\/)?(.+)$/.exec(name);
  const component = new Models.Component(Enums.ComponentType.Library, own, {
    ...(scope !== undefined && { group: scope }),
    version,
    bomRef,
    purl: packageUrl(name, version),
    licenses: license === undefined ? new Models.LicenseRepository() : licences(license),
  });
  if (sha256 !== undefined) component.hashes.set(Enums.HashAlgorithm['SHA-256'], sha256);
  if (sha512 !== undefined) component.hashes.set(Enums.HashAlgorithm['SHA-512'], sha512);
  return component;
}

/** The address of a package in the form that scanners look vulnerabilities up by. */
const packageUrl = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${encodeURIComponent(version)}`;

/** Manifests hold an identifier of SPDX, an expression of several, or neither. */
function licences(text) {
  const isExpression = / (OR|AND|WITH) /.test(text);
  return new Models.LicenseRepository([
    isExpression ? new Models.LicenseExpression(text) : factory.makeDisjunctive(text),
  ]);
}

const factory = new Contrib.License.Factories.LicenseFactory(() => undefined);
