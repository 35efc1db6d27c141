/** Writes `.policy` and `.module` files, which the reference and `readArchive` read. */
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
import { NEWEST_CODE_VERSION } from '../migrations/code-version.js';
import { TOOL_FILES, TOOL_LIST } from '../tool-files.js';
import { writeZip } from '../zip/write-zip.js';

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
}

/** Omits local state: ids, status, messages. @throws POLICY_FILE_TOO_LARGE. */
export function writePolicy({ record, config, schemas, tokens, artifacts, files, tools }: PolicyContents): Uint8Array {
  const names = new EntryNames();
  const kept = files.map(({ id, content }) => ({ name: id, content: Buffer.from(content, 'base64') }));
  const taken = new Set(kept.map(({ name }) => name));
  return zipOf([
    jsonFile('policy.json', policyJson(record, config)),
    ...schemas.map((schema) => schemaFile(schema, names)),
    ...tokens.map(({ tokenName, source }) => jsonFile(names.next('tokens', tokenName, '.json'), source)),
    ...artifactFiles(artifacts),
    ...tools.map(({ tool }) => toolNote(tool)).filter(({ name }) => !taken.has(name)),
    ...toolFiles(tools),
    ...kept,
  ]);
}

/** A module with the schemas its variables refer to. @throws POLICY_FILE_TOO_LARGE. */
export function writeModule(config: BlockSource, owner: string, schemas: readonly SchemaRecord[]): Uint8Array {
  const names = new EntryNames();
  const { name, description } = config;
  const module = {
    name: typeof name === 'string' && name !== '' ? name : config.tag,
    description: typeof description === 'string' ? description : '',
    creator: owner,
    owner,
    codeVersion: '1.0.0',
    type: 'CUSTOM',
    config,
  };
  return zipOf([jsonFile('module.json', module), ...schemas.map((schema) => schemaFile(schema, names))]);
}

interface ZipFile {
  readonly name: string;
  readonly content: Uint8Array;
}

const zipOf = (files: readonly ZipFile[]): Uint8Array =>
  writeZip(new Map(files.map(({ name, content }) => [name, content])));

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

function policyJson(record: StoredPolicy, config: BlockSource): Record<string, unknown> {
  const facts = Object.entries(record).filter(
    ([name, value]) => !local.includes(name) && !(name === 'projectSchema' && value === NIL_UUID),
  );
  const waits = walkTree(config).some(({ block }) => block.dependencies.length > 0);
  return {
    ...Object.fromEntries(facts),
    ...(typeof record['projectSchemaIri'] === 'string' && { projectSchema: record['projectSchemaIri'] }),
    codeVersion: record.codeVersion || NEWEST_CODE_VERSION,
    ...(waits && { [DEPENDENCIES_MEAN]: COMPLETION }),
    config,
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
  const list = tools.map(({ tool: { messageId, hash } }, index) => ({ messageId, hash, file: fileOf(index) }));
  return [jsonFile(TOOL_LIST, list), ...tools.map(({ file }, index) => ({ name: fileOf(index), content: file }))];
}

const jsonFile = (name: string, content: unknown): ZipFile => ({
  name,
  content: Buffer.from(JSON.stringify(content), 'utf8'),
});

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
