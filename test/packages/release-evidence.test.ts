/** What a release says of its files, and what of it is noticed when a file, a statement or a key is another one. */
import { execFile } from 'node:child_process';
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { appendFile, copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { temporaryFolders } from '../support/folders.js';
import { schemaProblem } from '../../scripts/release/bill-of-materials.mjs';
import { checksums, digestsOf, readChecksums } from '../../scripts/release/checksums.mjs';
import { evidenceProblems, releaseKey, writeEvidence } from '../../scripts/release/evidence.mjs';
import { installedProblems } from '../../scripts/release/installed.mjs';
import { signed } from '../../scripts/release/provenance.mjs';

const run = promisify(execFile);
const makeFolder = temporaryFolders();

const pem = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }),
  };
};

const door = {
  name: '@blockwork/door',
  version: '1.2.3',
  description: 'Opens.',
  license: 'Apache-2.0',
  dependencies: { '@blockwork/wall': '1.2.3', '@koa/router': '15.7.0' },
  optionalDependencies: { pg: '8.23.1' },
};
const wall = { name: '@blockwork/wall', version: '1.2.3', description: 'Stands.', license: 'Apache-2.0' };
const notices = `The code of this package contains parts of these libraries.\n\n${'-'.repeat(80)}\n\nfflate 0.8.3 (MIT)\n\nMIT License\n`;

/** A folder with the tarballs of two packages, and all that a release adds to them. */
async function release(folder: string, key?: string | Buffer): Promise<string> {
  const tarballs = [];
  for (const manifest of [door, wall]) {
    const name = manifest.name.replace('@', '').replace('/', '-');
    const packed = join(folder, 'packed', name, 'package');
    await mkdir(packed, { recursive: true });
    await writeFile(join(packed, 'package.json'), JSON.stringify(manifest));
    if (manifest === door) await writeFile(join(packed, 'THIRD-PARTY-NOTICES.txt'), notices);
    await mkdir(join(folder, 'release'), { recursive: true });
    const tarball = join(folder, 'release', `${name}-1.2.3.tgz`);
    await run('tar', ['-czf', tarball, '-C', join(packed, '..'), 'package']);
    tarballs.push(tarball);
  }
  await writeEvidence(tarballs, key === undefined ? undefined : createPrivateKey(key));
  return join(folder, 'release');
}

interface Component {
  readonly name: string;
  readonly purl: string;
  readonly 'bom-ref': string;
  readonly hashes?: readonly { readonly alg: string }[];
  readonly components?: readonly Component[];
}

interface Bill {
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

const json = async <T>(folder: string, name: string): Promise<T> =>
  JSON.parse(await readFile(join(folder, name), 'utf8')) as T;

describe('the files of a release', () => {
  const keys = pem();
  let folder: string;
  beforeAll(async () => {
    folder = await release(await makeFolder(), keys.privateKey);
  });

  /** The same release, for a test to change. */
  async function copied(): Promise<string> {
    const copy = join(await makeFolder(), 'release');
    await mkdir(copy);
    const { stdout } = await run('ls', [folder]);
    await Promise.all(
      stdout
        .trim()
        .split('\n')
        .map((name) => copyFile(join(folder, name), join(copy, name))),
    );
    return copy;
  }

  it('are those that its checksums, its bill of materials and its signed origin are about', async () => {
    expect(await evidenceProblems(folder, { publicKey: keys.publicKey })).toEqual([]);
  });

  it('have checksums in the form that other programs check', async () => {
    const { stdout } = await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: folder });
    expect(stdout).toContain('blockwork-door-1.2.3.tgz: OK');
  });

  it('are listed by a bill of materials that follows the schema of CycloneDX 1.6', async () => {
    const text = await readFile(join(folder, 'sbom.cdx.json'), 'utf8');
    expect(JSON.parse(text)).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' });
    expect(await schemaProblem(text)).toBeNull();
    expect(await schemaProblem(text.replace('"library"', '"libary"'))).toContain('/components/');
  });

  it('are listed with the libraries inside them, and with those below them as they were locked', async () => {
    const { components, dependencies } = await json<Bill>(folder, 'sbom.cdx.json');
    const opens = components.find(({ purl }) => purl === 'pkg:npm/%40blockwork/door@1.2.3');
    expect(opens?.components?.map(({ purl }) => purl)).toEqual(['pkg:npm/fflate@0.8.3']);
    const below = (ref = '') => dependencies.find((each) => each.ref === ref)?.dependsOn ?? [];
    expect(below(opens?.['bom-ref'])).toEqual(['@blockwork/wall@1.2.3', '@koa/router@15.7.0', 'pg@8.23.1']);
    // It is optional itself.
    expect(below('pg@8.23.1').some((ref) => ref.startsWith('pg-cloudflare@'))).toBe(true);
    const router = components.find(({ name }) => name === 'router');
    expect(router?.hashes?.map(({ alg }) => alg)).toEqual(['SHA-512']);
    const refs = new Set(components.map((each) => each['bom-ref']));
    expect(below(router?.['bom-ref']).length).toBeGreaterThan(0);
    expect(below(router?.['bom-ref']).filter((ref) => !refs.has(ref))).toEqual([]);
  });

  it('come from a commit, which the statement of their origin names with what it was built with', async () => {
    const { predicate } = await json<{ predicate: Record<string, unknown> }>(folder, 'provenance.json');
    const { stdout } = await run('git', ['rev-parse', 'HEAD']);
    expect(predicate).toMatchObject({
      buildDefinition: {
        externalParameters: { version: '1.2.3' },
        resolvedDependencies: [{ digest: { gitCommit: stdout.trim() } }, { name: 'libraries' }, { name: 'node' }],
      },
      runDetails: { byproducts: [{ name: 'sbom.cdx.json' }] },
    });
  });

  it('are refused once one of them is changed, missing or added', async () => {
    const copy = await copied();
    await appendFile(join(copy, 'blockwork-door-1.2.3.tgz'), '\0');
    await rm(join(copy, 'blockwork-wall-1.2.3.tgz'));
    await writeFile(join(copy, 'window-1.0.0.tgz'), '');
    const problems = (await evidenceProblems(copy)).join('\n');
    expect(problems).toContain('blockwork-door-1.2.3.tgz is not the file that SHA256SUMS means.');
    expect(problems).toContain('provenance.json is about another blockwork-door-1.2.3.tgz.');
    expect(problems).toContain('sbom.cdx.json does not list blockwork-door-1.2.3.tgz.');
    expect(problems).toContain('blockwork-wall-1.2.3.tgz is missing.');
    expect(problems).toContain('window-1.0.0.tgz has no checksum.');
  });

  it('are refused where another key signed, or the signed statement was changed', async () => {
    const stranger = pem();
    expect((await evidenceProblems(folder, { publicKey: stranger.publicKey })).join()).toContain('is not signed with');
    const copy = await copied();
    const statement = await json<object>(copy, 'provenance.json');
    const envelope = signed(statement, keys.privateKey);
    const other = Buffer.from(JSON.stringify({ ...statement, subject: [] })).toString('base64');
    await writeFile(join(copy, 'provenance.intoto.jsonl'), JSON.stringify({ ...envelope, payload: other }));
    expect((await evidenceProblems(copy, { publicKey: keys.publicKey })).join()).toContain('is not signed with');
  });

  /** What is wrong with the release once a file is another, with checksums that fit. */
  async function problemsWith(name: string, text: string): Promise<string> {
    const copy = await copied();
    await writeFile(join(copy, name), text);
    const sums = readChecksums(await readFile(join(copy, 'SHA256SUMS'), 'utf8'));
    sums.set(name, (await digestsOf(join(copy, name))).sha256);
    await writeFile(join(copy, 'SHA256SUMS'), checksums([...sums].map(([each, sha256]) => ({ name: each, sha256 }))));
    return (await evidenceProblems(copy, { publicKey: keys.publicKey })).join('\n');
  }

  it('are refused with a file that belongs to no release, though it has a checksum', async () => {
    expect(await problemsWith('install.sh', 'exit')).toBe('install.sh is no file of a release.');
  });

  it('are refused where the statement that anybody reads is not the one that was signed', async () => {
    const statement = await json<{ predicate: object }>(folder, 'provenance.json');
    const other = { ...statement, predicate: { ...statement.predicate, more: 1 } };
    expect(await problemsWith('provenance.json', JSON.stringify(other))).toBe(
      'provenance.intoto.jsonl says something else than provenance.json.',
    );
  });

  it('are refused where the digest that npm compares is another', async () => {
    const [bom, statement] = await Promise.all(
      ['sbom.cdx.json', 'provenance.json'].map((name) => readFile(join(folder, name), 'utf8')),
    );
    const { sha512 } = await digestsOf(join(folder, 'blockwork-wall-1.2.3.tgz'));
    const other = (text = ''): string => text.replaceAll(sha512, '0'.repeat(sha512.length));
    expect(await problemsWith('sbom.cdx.json', other(bom))).toContain('does not list blockwork-wall-1.2.3.tgz.');
    const copy = await copied();
    await rm(join(copy, 'provenance.intoto.jsonl'));
    await writeFile(join(copy, 'provenance.json'), other(statement));
    expect(await evidenceProblems(copy)).toContain('provenance.json is about another blockwork-wall-1.2.3.tgz.');
  });

  it('are refused where the signed payload is of another type', async () => {
    const envelope = await json<object>(folder, 'provenance.intoto.jsonl');
    const other = JSON.stringify({ ...envelope, payloadType: 'text/plain' });
    expect(await problemsWith('provenance.intoto.jsonl', other)).toContain('has the payload "text/plain" instead of');
  });

  it('are signed with a key that is read and looked at first', async () => {
    const file = join(await makeFolder(), 'key.pem');
    vi.stubEnv('BLOCKWORK_RELEASE_KEY', file);
    await expect(releaseKey()).rejects.toThrow(`BLOCKWORK_RELEASE_KEY names ${file}, which is no private key`);
    await writeFile(file, keys.publicKey);
    await expect(releaseKey()).rejects.toThrow('which is no private key');
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    await writeFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    await expect(releaseKey()).rejects.toThrow('It is a key of ec, not of Ed25519. Name a file');
    await writeFile(file, keys.privateKey);
    expect((await releaseKey())?.asymmetricKeyType).toBe('ed25519');
    vi.stubEnv('BLOCKWORK_RELEASE_KEY', undefined);
    expect(await releaseKey()).toBeUndefined();
    vi.unstubAllEnvs();
  });

  it('have no signature where there is no key', async () => {
    const unsigned = await release(await makeFolder());
    expect(readChecksums(await readFile(join(unsigned, 'SHA256SUMS'), 'utf8')).has('provenance.intoto.jsonl')).toBe(
      false,
    );
    expect(await evidenceProblems(unsigned)).toEqual([]);
    expect((await evidenceProblems(unsigned, { publicKey: keys.publicKey })).join()).toContain(
      'provenance.intoto.jsonl',
    );
  });

  it('are what npm installed, or it is said which package is not', async () => {
    const project = await makeFolder();
    const lock = async (integrity: string) =>
      writeFile(
        join(project, 'package-lock.json'),
        JSON.stringify({ packages: { '': {}, 'node_modules/@blockwork/wall': { version: '1.2.3', integrity } } }),
      );
    const { stdout } = await run('npm', ['pack', '--json', '--dry-run', join(folder, 'blockwork-wall-1.2.3.tgz')]);
    await lock((JSON.parse(stdout) as [{ integrity: string }])[0].integrity);
    expect(await installedProblems(project, folder)).toEqual([]);
    await lock('sha512-AAAA');
    expect(await installedProblems(project, folder)).toEqual([
      '@blockwork/wall is not installed from the blockwork-wall-1.2.3.tgz of SHA256SUMS.',
    ]);
    const renamed = await copied();
    await rename(join(renamed, 'blockwork-wall-1.2.3.tgz'), join(renamed, 'other.tgz'));
    await writeFile(join(renamed, 'SHA256SUMS'), `${'0'.repeat(64)}  other.tgz\n`);
    expect((await installedProblems(project, renamed)).join()).toContain('does not name blockwork-wall-1.2.3.tgz');
  });

  it.each(['../etc/passwd', 'a/b'])('are never named outside their folder, as %s', (name) => {
    expect(() => readChecksums(`${'0'.repeat(64)}  ${name}\n`)).toThrow('no checksum');
  });
});
