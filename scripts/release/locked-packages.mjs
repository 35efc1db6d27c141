/** The libraries that are locked in `pnpm-lock.yaml`: what each depends on, also where npm may leave it out, its digest, and its licence as installed. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { manifestOf } from '../packages/workspace.mjs';
import { root } from '../run.mjs';

/** @typedef {{ name: string, version: string, sha512?: string, license?: string, dependencies: string[] }} LockedPackage */

/** Resolves to a function that finds a package by `name@version` together with all below it, each once. */
export async function lockedPackages() {
  const { snapshots, packages } = parse(await readFile(join(root, 'pnpm-lock.yaml'), 'utf8'));
  const installed = await readdir(join(root, 'node_modules', '.pnpm'));
  const byKey = new Map(Object.entries(snapshots));
  // A package that was locked with different peers is one package here.
  const keyOf = new Map([...byKey.keys()].map((key) => [withoutPeers(key), key]));

  const dependenciesOf = (id) => {
    const { dependencies, optionalDependencies } = byKey.get(keyOf.get(id)) ?? {};
    return Object.entries({ ...dependencies, ...optionalDependencies })
      .map(([name, version]) => idOf(name, withoutPeers(version)))
      .filter((each) => keyOf.has(each));
  };

  return async function below(id) {
    if (!keyOf.has(id)) throw new Error(`pnpm-lock.yaml has no ${id}.`);
    const found = new Set([id]);
    for (const each of found) for (const dependency of dependenciesOf(each)) found.add(dependency);
    return Promise.all(
      [...found].map(async (each) => ({
        ...named(each),
        sha512: hexadecimal(packages[each]?.resolution?.integrity),
        license: await licenceOf(each, installed),
        dependencies: dependenciesOf(each),
      })),
    );
  };
}

const withoutPeers = (key) => key.replace(/\(.*$/, '');

/** A version may itself name a package: that which is installed under another name. */
const idOf = (name, version) => (/^(@[^/]+\/)?[a-z][^@]*@/.test(version) ? version : `${name}@${version}`);

function named(id) {
  const at = id.lastIndexOf('@');
  return { name: id.slice(0, at), version: id.slice(at + 1) };
}

function hexadecimal(integrity) {
  const [, digest] = /^sha512-(.+)$/.exec(integrity ?? '') ?? [];
  return digest === undefined ? undefined : Buffer.from(digest, 'base64').toString('hex');
}

/** What is for other systems only is not installed here. */
async function licenceOf(id, installed) {
  const start = id.replaceAll('/', '+');
  const folder = installed.find((name) => name === start || name.startsWith(`${start}_`));
  if (folder === undefined) return undefined;
  const { license } = await manifestOf(join(root, 'node_modules', '.pnpm', folder, 'node_modules', named(id).name));
  return typeof license === 'string' ? license : undefined;
}
