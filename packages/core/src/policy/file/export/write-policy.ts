/** The files of `.policy` and `.module` archives, which the reference and `readArchive` read. */
import type { Steps } from '../../../loop-share.js';
import {
  type ArchiveFile,
  type ArtifactRecord,
  type BlockSource,
  NIL_UUID,
  type SchemaRecord,
  type StoredPolicy,
  type TokenRecord,
  type ToolRecord,
} from '../../../records/index.js';
import { walkTree } from '../../model/tree-walk.js';
import { COMPLETION, DEPENDENCIES_MEAN } from '../dependency-meaning.js';
import { jsonTextOf } from '../json/json-text.js';
import { NEWEST_CODE_VERSION } from '../migrations/code-version.js';
import { TOOL_FILES, TOOL_LIST } from '../tool-files.js';

export interface PolicyContents {
  readonly record: StoredPolicy;
  readonly config: BlockSource;
  readonly schemas: readonly SchemaRecord[];
  readonly tokens: readonly TokenRecord[];
  readonly artifacts: readonly ArtifactRecord[];
  /** Entries of the original archive that this engine does not use. */
  readonly files: readonly ArchiveFile[];
  readonly tools: readonly ToolFile[];
}

/** A tool of the policy, with the file that it was imported from. */
export interface ToolFile {
  readonly tool: ToolRecord;
  readonly file: Uint8Array;
  /** The message by which tools name it, if the policy names it by another. */
  readonly formerId?: string;
}

/** By their names in the archive, in its order. */
export type WrittenFiles = ReadonlyMap<string, Uint8Array>;

/** Omits local state: ids, status, messages. */
export function* writingPolicy(contents: PolicyContents): Steps<WrittenFiles> {
  const { record, config, schemas, tokens, artifacts, files, tools } = contents;
  const names = new EntryNames();
  // What came with the policy stays, but for tools that have another name now.
  const renamed = tools.filter(({ tool, formerId = tool.messageId }) => formerId !== tool.messageId);
  const newNotes = new Set(renamed.map(({ tool }) => toolNote(tool).name));
  const ownFiles = files
    .filter(({ id }) => !newNotes.has(id))
    .map(({ id, content }) => ({ name: id, content: Buffer.from(content, 'base64') }));
  yield;
  const takenNames = new Set(ownFiles.map(({ name }) => name));
  const written = [textFile('policy.json', yield* definitionText(policyFacts(record, config), config))];
  for (const schema of schemas) {
    written.push(schemaFile(schema, names));
    yield;
  }
  for (const { tokenName, source } of tokens) {
    written.push(jsonFile(names.next('tokens', tokenName, '.json'), source));
    yield;
  }
  written.push(
    ...artifactFiles(artifacts),
    ...tools.map(({ tool }) => toolNote(tool)).filter(({ name }) => !takenNames.has(name)),
    ...toolFiles(tools),
    ...ownFiles,
  );
  return filesByName(written);
}

/** A module with the schemas its variables refer to. */
export function* writingModule(
  config: BlockSource,
  owner: string,
  schemas: readonly SchemaRecord[],
): Steps<WrittenFiles> {
  const names = new EntryNames();
  const { name, description } = config;
  const module = {
    name: typeof name === 'string' && name !== '' ? name : config.tag,
    description: typeof description === 'string' ? description : '',
    creator: owner,
    owner,
    codeVersion: '1.0.0',
    type: 'CUSTOM',
  };
  const written = [textFile('module.json', yield* definitionText(module, config))];
  for (const schema of schemas) {
    written.push(schemaFile(schema, names));
    yield;
  }
  return filesByName(written);
}

interface ZipFile {
  readonly name: string;
  readonly content: Uint8Array;
}

const filesByName = (files: readonly ZipFile[]): WrittenFiles =>
  new Map(files.map(({ name, content }) => [name, content]));

/** The facts, and the blocks as their last member. */
function* definitionText(facts: Readonly<Record<string, unknown>>, config: BlockSource): Steps<string> {
  const text = JSON.stringify(facts).slice(0, -1);
  return `${text},"config":${yield* jsonTextOf(config)}}`;
}

/** Members whose values are local to this instance. */
const local = [
  'id',
  'messageId',
  'status',
  'topicId',
  'createDate',
  'publishDate',
  'discontinuedDate',
  'ownerName',
  'projectSchemaIri',
];

function policyFacts(record: StoredPolicy, config: BlockSource): Record<string, unknown> {
  const facts = Object.entries(record).filter(
    ([name, value]) => !local.includes(name) && !(name === 'projectSchema' && value === NIL_UUID),
  );
  const waits = walkTree(config).some(({ block }) => block.dependencies.length > 0);
  return {
    ...Object.fromEntries(facts),
    ...(typeof record['projectSchemaIri'] === 'string' && { projectSchema: record['projectSchemaIri'] }),
    codeVersion: record.codeVersion || NEWEST_CODE_VERSION,
    ...(waits && { [DEPENDENCIES_MEAN]: COMPLETION }),
  };
}

function schemaFile({ id, document, source }: SchemaRecord, names: EntryNames): ZipFile {
  const content = document === null ? source : { ...source, document };
  return jsonFile(names.next('schemas', id, '.json'), { iri: id, ...content });
}

/** The reference reads only artifacts named in its list. */
function artifactFiles(artifacts: readonly ArtifactRecord[]): ZipFile[] {
  if (artifacts.length === 0) return [];
  const list = artifacts.map(({ id, name, extension }) => ({ name, uuid: id, extention: extension }));
  return [
    jsonFile('artifacts/metadata.json', list),
    ...artifacts.map(({ id, content }) => ({ name: `artifacts/${id}`, content: Buffer.from(content, 'base64') })),
  ];
}

/** The reference's record of a tool: the message and hash under which it was published. */
const toolNote = ({ name, description, messageId, hash, source }: ToolRecord): ZipFile =>
  jsonFile(`tools/${hash.replaceAll(/[/\\:\0]|\.\.+/g, '_')}.json`, {
    name,
    description,
    messageId,
    owner: source['creator'] ?? source['owner'] ?? null,
    hash,
  });

/** The tools themselves, in a folder that the reference does not read. */
function toolFiles(tools: readonly ToolFile[]): ZipFile[] {
  if (tools.length === 0) return [];
  const fileOf = (index: number): string => `${TOOL_FILES}${String(index)}.tool`;
  const list = tools.flatMap(({ tool: { messageId, hash }, formerId = messageId }, index) =>
    [...new Set([messageId, formerId])].map((id) => ({ messageId: id, hash, file: fileOf(index) })),
  );
  return [jsonFile(TOOL_LIST, list), ...tools.map(({ file }, index) => ({ name: fileOf(index), content: file }))];
}

const textFile = (name: string, text: string): ZipFile => ({ name, content: Buffer.from(text, 'utf8') });
const jsonFile = (name: string, content: unknown): ZipFile => textFile(name, JSON.stringify(content));

/** Gives each entry a unique name that every reader accepts. */
class EntryNames {
  readonly #taken = new Set<string>();

  /** For example `tokens/Credit.json`, and `tokens/Credit_2.json` for the second token of that name. */
  next(folder: string, name: string, ending = ''): string {
    const plain = name.replaceAll(/[/\\:\0]|\.\.+/g, '_') || '_';
    let candidate = `${folder}/${plain}${ending}`;
    for (let count = 2; this.#taken.has(candidate); count += 1) candidate = `${folder}/${plain}_${count}${ending}`;
    this.#taken.add(candidate);
    return candidate;
  }
}
