/** Changes schemas where a policy is stored: in an archive, in a folder, or in one JSON file. The rest stays as it is. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { packArchive, unpackArchive } from '@blockwork/core/files';
import type { SchemaEdit } from '@blockwork/spreadsheet';
import { exitCodes } from '../line/exit-codes.js';
import { CommandError } from '../line/failure.js';
import { parseJsonText } from '../line/json-text.js';
import { packFolder, writeToFolder } from '../policies/policy-folder.js';

type Json = Record<string, unknown>;

export async function writeSchemas(path: string, edits: readonly SchemaEdit[]): Promise<void> {
  if ((await stat(path)).isDirectory()) {
    const files = unpackArchive(await packFolder(path));
    await writeToFolder(path, changedFiles(files, edits));
    return;
  }
  const bytes = await readFile(path);
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) {
    const files = unpackArchive(bytes);
    // A proof is of the file as it was.
    files.delete('proof.json');
    await writeFile(path, packArchive(new Map([...files, ...changedFiles(files, edits)])));
    return;
  }
  await writeFile(path, laidOut(withEdits(plainObject(bytes.toString('utf8'), path), edits)));
}

/** JSON without comments, which would be lost. */
function plainObject(text: string, path: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    const message = `${path} has comments or trailing commas, which would be lost: remove them, or "pack" it into an archive.`;
    throw new CommandError(exitCodes.usage, message, 'POLICY_HAS_COMMENTS');
  }
}

/** The files of an archive that hold the schemas, with their new content. */
function changedFiles(files: ReadonlyMap<string, Uint8Array>, edits: readonly SchemaEdit[]): Map<string, Uint8Array> {
  const policy = jsonIn(files.get('policy.json'));
  if (Array.isArray(policy['schemas'])) {
    return new Map([['policy.json', Buffer.from(laidOut(withEdits(policy, edits)))]]);
  }
  const names = new Map(
    [...files].flatMap(([name, content]): [string, string][] => {
      const iri = /^schem[ae]s\/.+\.json$/.test(name) ? iriOf(jsonIn(content)) : undefined;
      return iri === undefined ? [] : [[iri, name]];
    }),
  );
  return new Map(
    edits.map(({ value }) => [names.get(value.iri) ?? `schemas/${value.iri}.json`, Buffer.from(laidOut(value))]),
  );
}

function withEdits(policy: Json, edits: readonly SchemaEdit[]): Json {
  const { schemas } = policy;
  const entries = Array.isArray(schemas) ? (schemas as Json[]) : [];
  const changed = new Map(edits.map(({ value }) => [value.iri, value]));
  const merged = entries.map((entry) => changed.get(iriOf(entry) ?? '') ?? entry);
  const added = edits.filter(({ op }) => op === 'addEntry').map(({ value }) => value);
  return { ...policy, schemas: [...merged, ...added] };
}

function iriOf({ iri, document }: Json): string | undefined {
  const id = iri ?? (document as Json | undefined)?.['$id'];
  return typeof id === 'string' ? id : undefined;
}

function jsonIn(content: Uint8Array | undefined): Json {
  const value = content === undefined ? {} : parseJsonText(new TextDecoder().decode(content));
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

const laidOut = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
