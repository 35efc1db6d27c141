/** A policy as a folder, for version control: the files of its archive, with JSON laid out for people and for diffs. */
import { packArchive, plainJson, unpackArchive, writtenByHand } from '@blockwork/core/files';
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isCode, policyFromCode } from '../code/code.js';
import { exitCodes } from '../line/exit-codes.js';
import { CommandError } from '../line/failure.js';
import { parseJson } from '../line/json-text.js';
import { makeFolder } from '../line/make-folder.js';

const POLICY = 'policy.json';
/** The folders of an archive. Other subfolders do not belong to the policy. */
const folders = ['artifacts', 'schemas', 'schemes', 'tokens', 'tags', 'tests', 'formulas', 'tools', 'ipfs'];

/** The names of the files written, in order. An earlier policy in the folder is replaced. */
export async function unpackToFolder(archive: Uint8Array, folder: string): Promise<string[]> {
  const files = unpackArchive(archive);
  if (!files.has(POLICY)) throw unreadable(`The archive has no ${POLICY}, so it is not a policy.${otherThan(files)}`);
  await clear(folder);
  await writeToFolder(folder, files);
  return [...files.keys()].sort();
}

/** Hints at what a non-policy archive is. */
function otherThan(files: ReadonlyMap<string, unknown>): string {
  if (files.has('module.json'))
    return ' It contains module.json: it is a module, which can be validated and imported by a server directly.';
  return files.has('tool.json')
    ? ' It contains tool.json: it is a tool, which is imported separately from policies.'
    : '';
}

/** Removes an earlier policy. Rejects if the folder contains anything else. */
async function clear(folder: string): Promise<void> {
  const names = (await readdir(folder).catch(onMissing)).filter((name) => !name.startsWith('.'));
  if (names.length > 0 && !names.includes(POLICY))
    throw unreadable(`${folder} is not empty and contains no policy. Name a folder that does not exist yet.`);
  for (const name of [POLICY, ...folders]) await rm(join(folder, name), { recursive: true, force: true });
}

const onMissing = (error: NodeJS.ErrnoException): string[] => {
  if (error.code === 'ENOENT') return [];
  throw error;
};

/** Packs a folder; deterministic, so that equal files give equal bytes. */
export async function packFolder(folder: string): Promise<Uint8Array> {
  const names = await filesBelow(folder);
  if (!names.includes(POLICY))
    throw unreadable(`${folder} has no ${POLICY}, so it is not a policy.${await hint(folder)}`);
  const files = new Map<string, Uint8Array>();
  for (const name of names) {
    const content = await readFile(join(folder, name));
    const packed = name.endsWith('.json') ? withoutComments(content) : content;
    files.set(name.split('/').map(unescapeName).join('/'), name === POLICY ? packedPolicy(packed) : packed);
  }
  return packArchive(files);
}

/** Archives hold plain JSON. What is no text is kept. */
function withoutComments(content: Uint8Array): Uint8Array {
  if (!isUtf8(content)) return content;
  const text = new TextDecoder().decode(content);
  const plain = plainJson(text);
  return plain === text ? content : Buffer.from(plain);
}

/** Writes files of an archive into the folder. */
export async function writeToFolder(folder: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  for (const [name, content] of files) {
    const path = join(folder, ...name.split('/').map(escapeName));
    await makeFolder(dirname(path));
    await writeFile(path, name.endsWith('.json') ? laidOut(name, content) : content);
  }
}

/** A policy that lists its schemas or tokens itself was written by hand. What is no JSON is kept: `validate` reports it. */
function packedPolicy(content: Uint8Array): Uint8Array {
  const text = new TextDecoder().decode(content);
  let policy: unknown;
  try {
    policy = JSON.parse(text);
  } catch {
    return content;
  }
  const { schemas, tokens } = (policy ?? {}) as { readonly schemas?: unknown; readonly tokens?: unknown };
  const isByHand = Array.isArray(schemas) || Array.isArray(tokens);
  return isByHand ? policyText(policy) : content;
}

const policyText = (policy: unknown): Uint8Array => Buffer.from(`${JSON.stringify(writtenByHand(policy), null, 2)}\n`);

/** Packs a policy that is written in a single file. Reading the archive gives what reading the file gives. */
export async function packFile(path: string): Promise<Uint8Array> {
  if (isCode(path)) {
    const policy = await policyFromCode(path);
    return policy instanceof Uint8Array ? policy : packArchive(new Map([[POLICY, policyText(policy)]]));
  }
  const text = await readFile(path, 'utf8');
  if (text.startsWith('PK')) throw unreadable(`${path} is an archive already.`);
  return packArchive(new Map([[POLICY, policyText(parseJson(text, path))]]));
}

/** The text of a file of an archive, as it is in the folder; `undefined` if it is not there. */
export function textInFolder(folder: string, name: string): string | undefined {
  try {
    return readFileSync(join(folder, ...name.split('/').map(escapeName)), 'utf8');
  } catch {
    return undefined;
  }
}

/** By its name. */
export const isPolicyFile = (name: string): boolean => /\.policy(\.json)?$/.test(name);

/** Projects of `blockwork new` have their policy in a single file. */
async function hint(folder: string): Promise<string> {
  const policies = (await readdir(folder)).filter(isPolicyFile).sort();
  if (policies.length === 0) return '';
  const named = policies.map((name) => join(folder, name)).join(', ');
  return ` It contains ${named}: name ${policies.length === 1 ? 'that file' : 'one of these'}.`;
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, '/').length).replaceAll('\\', '/'))
    .filter((name) => name === POLICY || folders.includes(name.split('/')[0] ?? ''))
    .filter((name) => !name.split('/').some((part) => part.startsWith('.')))
    .sort();
}

/** Invalid JSON is kept unchanged: `validate` reports it. */
function laidOut(name: string, content: Uint8Array): Uint8Array | string {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content));
    return `${JSON.stringify(name === POLICY ? orderedPolicy(value) : value, null, 2)}\n`;
  } catch {
    return content;
  }
}

/** Characters that some file systems reject, and their replacement. */
const escapeName = (part: string): string =>
  part.replace(/[%<>:"|?*\p{Cc}]|[ .]$/gu, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`);
const unescapeName = (part: string): string =>
  part.replace(/%([0-9a-f]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));

const unreadable = (message: string): CommandError =>
  new CommandError(exitCodes.unreadable, message, 'POLICY_FILE_INVALID');

/** Puts members of a policy and its blocks in a canonical order, so that two exports differ only in what changed. */

const first = ['id', 'name', 'description', 'version', 'blockType', 'tag', 'permissions', 'defaultActive'];
const last = ['events', 'children', 'config'];

/** Other objects keep their order, which can be significant: schemas show their fields in it. */
function orderedPolicy(value: unknown): unknown {
  if (!isObject(value)) return value;
  return orderedMembers(value, (name, member) => (name === 'config' ? orderedBlock(member) : member));
}

function orderedBlock(value: unknown): unknown {
  if (!isObject(value)) return value;
  return orderedMembers(value, (name, member) =>
    name === 'children' && Array.isArray(member) ? member.map(orderedBlock) : member,
  );
}

function orderedMembers(
  value: Readonly<Record<string, unknown>>,
  change: (name: string, member: unknown) => unknown,
): unknown {
  const names = Object.keys(value).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  return Object.fromEntries(names.map((name) => [name, change(name, value[name])]));
}

function rank(name: string): number {
  if (first.includes(name)) return first.indexOf(name);
  return first.length + 1 + last.indexOf(name);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
