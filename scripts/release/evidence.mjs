/** What a release says of itself beside its tarballs: checksums, a bill of materials and where it comes from. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { capture, root, StepFailed } from '../run.mjs';
import { BILL_OF_MATERIALS, billOfMaterials, schemaProblem } from './bill-of-materials.mjs';
import { CHECKSUMS, checksums, digestsOf, readChecksums } from './checksums.mjs';
import { containedLibraries, hasLicences } from './contained-libraries.mjs';
import { lockedPackages } from './locked-packages.mjs';
import { opened, PROVENANCE, provenance, signed, SIGNED_PROVENANCE, signingKey, statementIn } from './provenance.mjs';

/** Signs the statement of the origin, where it is set: the path of a file. */
const KEY_SETTING = 'BLOCKWORK_RELEASE_KEY';

/** Resolves to the private key that the environment names; `undefined` if it names none. Throws if it is no key to sign with. */
export async function releaseKey() {
  const file = process.env[KEY_SETTING];
  if (file === undefined) return undefined;
  try {
    return signingKey(await readFile(file, 'utf8'));
  } catch (error) {
    throw new StepFailed(
      `${KEY_SETTING} names ${file}, which is no private key to sign with: ${error.message} Name a file with an Ed25519 key in PEM, or leave it unset.`,
    );
  }
}

/** Who built it, unless `BLOCKWORK_RELEASE_BUILDER` says so: a maintainer, on a machine of their own. */
const BY_HAND = 'https://github.com/blockwork/blockwork/blob/main/docs/releases.md#who-builds';

/**
 * Writes the files beside the tarballs, which lie in one folder, and resolves to their names. `key`: the private key that the statement
 * of its origin is signed with; without one, it is not signed.
 *
 * @param {string[]} tarballs
 * @param {import('node:crypto').KeyObject | undefined} key
 */
export async function writeEvidence(tarballs, key) {
  const folder = join(tarballs[0], '..');
  const subjects = await Promise.all(tarballs.map(digestsOf));
  const packages = await Promise.all(tarballs.map((tarball, at) => packed(tarball, subjects[at])));
  const { version } = packages[0].manifest;
  const finished = new Date();
  const bom = await billOfMaterials({ version, time: finished, packages, below: await lockedPackages() });
  await writeFile(join(folder, BILL_OF_MATERIALS), bom);
  const statement = provenance({
    subjects,
    byproducts: [await digestsOf(join(folder, BILL_OF_MATERIALS))],
    version,
    source: await source(),
    lock: await digestsOf(join(root, 'pnpm-lock.yaml')),
    builder: process.env.BLOCKWORK_RELEASE_BUILDER ?? BY_HAND,
    // Whatever builds is begun with its own process.
    started: new Date(performance.timeOrigin),
    finished,
  });
  await writeFile(join(folder, PROVENANCE), `${JSON.stringify(statement, null, 2)}\n`);
  const names = [BILL_OF_MATERIALS, PROVENANCE];
  if (key !== undefined) {
    await writeFile(join(folder, SIGNED_PROVENANCE), `${JSON.stringify(signed(statement, key))}\n`);
    names.push(SIGNED_PROVENANCE);
  }
  const others = await Promise.all(names.map((name) => digestsOf(join(folder, name))));
  await writeFile(join(folder, CHECKSUMS), checksums([...subjects, ...others]));
  return [...names, CHECKSUMS];
}

async function packed(tarball, digests) {
  const paths = (await tar('-tzf', tarball)).split('\n').map((path) => path.replace(/^package\//, ''));
  const read = (path) => tar('-xzOf', tarball, `package/${path}`);
  const licences = await Promise.all(paths.filter(hasLicences).map(async (path) => [path, await read(path)]));
  return {
    manifest: JSON.parse(await read('package.json')),
    contained: containedLibraries(new Map(licences)),
    ...digests,
  };
}

async function tar(...args) {
  const { code, stdout, output } = await capture('tar', args);
  if (code !== 0) throw new StepFailed(`"tar ${args.join(' ')}" failed:\n${output}`);
  return stdout;
}

/** The commit, and the files that differ from it: those that the release itself writes, and no others. */
async function source() {
  const git = async (...args) => {
    const { code, stdout } = await capture('git', args).catch(() => ({ code: 1, stdout: '' }));
    if (code !== 0) throw new StepFailed(`A release is made in a repository of git: "git ${args.join(' ')}" failed.`);
    return stdout;
  };
  const status = await git('status', '--porcelain', '-z', '--no-renames');
  const changed = status.split('\0').filter((line) => line !== '');
  return { commit: (await git('rev-parse', 'HEAD')).trim(), changed: changed.map((line) => line.slice(3)).sort() };
}

/**
 * Resolves to what is wrong with the files of a release, all in one folder: files that differ from their checksums, have none, or belong
 * to no release, and statements that are not about these files, or differ from each other. With `publicKey`, in PEM, the statement of
 * the origin has to be signed with its key.
 */
export async function evidenceProblems(folder, { publicKey } = {}) {
  try {
    return await problemsIn(folder, publicKey);
  } catch (error) {
    return [`${folder}: ${error.message}`];
  }
}

const beside = [BILL_OF_MATERIALS, PROVENANCE, SIGNED_PROVENANCE];
const isTarball = (name) => name.endsWith('.tgz');

async function problemsIn(folder, publicKey) {
  const read = (name) => readFile(join(folder, name), 'utf8');
  const named = readChecksums(await read(CHECKSUMS));
  const names = (await readdir(folder)).filter((name) => name !== CHECKSUMS).sort();
  const digests = new Map(await Promise.all(names.map(async (name) => [name, await digestsOf(join(folder, name))])));
  const statement = statementIn(await read(PROVENANCE));
  const isSigned = publicKey !== undefined || digests.has(SIGNED_PROVENANCE);
  const envelope = isSigned ? opened(JSON.parse(await read(SIGNED_PROVENANCE)), publicKey) : statement;
  const bom = await read(BILL_OF_MATERIALS);
  const schema = await schemaProblem(bom);
  return [
    ...[...named.keys()].filter((name) => !digests.has(name)).map((name) => `${name} is missing.`),
    ...names.filter((name) => !named.has(name)).map((name) => `${name} has no checksum.`),
    ...names
      .filter((name) => !isTarball(name) && !beside.includes(name))
      .map((name) => `${name} is no file of a release.`),
    ...names
      .filter((name) => named.has(name) && named.get(name) !== digests.get(name).sha256)
      .map((name) => `${name} is not the file that ${CHECKSUMS} means.`),
    ...(isDeepStrictEqual(envelope, statement) ? [] : [`${SIGNED_PROVENANCE} says something else than ${PROVENANCE}.`]),
    ...statementProblems(envelope, digests),
    ...(schema === null ? [] : [`${BILL_OF_MATERIALS}: ${schema}`]),
    ...billProblems(JSON.parse(bom), digests),
  ];
}

/** The statement is about exactly the tarballs, byte for byte, and about the bill of materials. */
function statementProblems({ subject, predicate }, digests) {
  const stated = new Map([...subject, ...predicate.runDetails.byproducts].map(({ name, digest }) => [name, digest]));
  const expected = [...digests.keys()].filter((name) => isTarball(name) || name === BILL_OF_MATERIALS);
  return [
    ...[...stated.keys()].filter((name) => !expected.includes(name)).map((name) => `${PROVENANCE} is about ${name}.`),
    ...expected.filter((name) => !stated.has(name)).map((name) => `${PROVENANCE} is not about ${name}.`),
    ...expected
      .filter((name) => stated.has(name) && !isAbout(stated.get(name), digests.get(name)))
      .map((name) => `${PROVENANCE} is about another ${name}.`),
  ];
}

/** A tarball has both digests. */
const isAbout = (stated, { name, sha256, sha512 }) =>
  stated.sha256 === sha256 && (!isTarball(name) || stated.sha512 === sha512);

function billProblems({ components }, digests) {
  const listed = components.map(({ hashes = [] }) => new Set(hashes.map(({ content }) => content)));
  return [...digests.values()]
    .filter(({ name, sha256, sha512 }) => isTarball(name) && !listed.some((own) => own.has(sha256) && own.has(sha512)))
    .map(({ name }) => `${BILL_OF_MATERIALS} does not list ${name}.`);
}
