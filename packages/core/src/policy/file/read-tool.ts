/** Reads a `.tool` file, the zip archive of a published tool. */
import type { Steps } from '../../loop-share.js';
import { isObject, type ToolRecord } from '../../records/index.js';
import type { Finding } from '../model/policy-model.js';
import { quote } from '../model/quote.js';
import type { ReadPolicyOptions } from './assemble-policy.js';
import { parseJson, tryParseJson } from './json/parse-json.js';
import { fileInvalid } from './limits/file-errors.js';
import { policyFileLimits } from './limits/limits.js';
import { migrating } from './migrations/migrate.js';
import { NEWEST_CODE_VERSION } from './migrations/code-version.js';
import { normalizing } from './normalize/normalize-config.js';
import { readArtifacts } from './parts/artifacts.js';
import { readingSchemas, type SchemaFile } from './parts/schemas.js';
import { openZip } from './zip/archive.js';

export interface ToolBundle extends Pick<
  ToolRecord,
  'name' | 'description' | 'config' | 'schemas' | 'artifacts' | 'source'
> {
  readonly findings: readonly Finding[];
}

const TOOL = 'tool.json';

/**
 * Entry by entry and block by block. Tools always use the newest block format, so only `dependencies` are migrated, as in
 * any archive.
 * @throws POLICY_FILE_INVALID, POLICY_FILE_TOO_LARGE.
 */
export function* readingTool(bytes: Uint8Array, { ids, limits: fileLimits }: ReadPolicyOptions): Steps<ToolBundle> {
  const limits = policyFileLimits(fileLimits);
  const archive = openZip(bytes, limits);
  const findings: Finding[] = [];
  const file = archive.unpack(TOOL);
  if (file === undefined) throw fileInvalid(`the archive has no ${TOOL}, so it is not a tool`);
  const tool = parseJson(file, TOOL, limits);
  yield;
  if (!isObject(tool)) throw fileInvalid(`${TOOL} holds ${quote(tool)}, not a tool`);
  const { config: blocks, name, description, ...source } = tool;
  const config = yield* normalizing(blocks, ids, limits, findings);
  if (config.blockType !== 'tool')
    throw fileInvalid(`the root block of ${TOOL} is not a tool but ${quote(config.blockType)}`);
  yield* migrating(config, { written: NEWEST_CODE_VERSION, dependenciesRefresh: true, ids, findings });
  const unpacked = (entry: string): Uint8Array => archive.unpack(entry) ?? new Uint8Array();
  const schemas: SchemaFile[] = [];
  for (const entry of archive.names.filter((name) => /^schem(a|e)s\/.+\.json$/.test(name))) {
    yield;
    const { value, reason } = tryParseJson(unpacked(entry), entry, limits);
    if (reason === undefined) schemas.push({ name: entry, content: value });
    else findings.push({ severity: 'warning', code: 'SCHEMA_UNREADABLE', message: reason, path: '' });
  }
  const files = archive.names.filter((entry) => /^ipfs\/[^/]+$/.test(entry));
  return {
    name: typeof name === 'string' ? name : '',
    description: typeof description === 'string' ? description : '',
    config,
    schemas: yield* readingSchemas(schemas, limits, findings),
    artifacts: readArtifacts(
      undefined,
      new Map(files.map((entry) => [entry.slice('ipfs/'.length), unpacked(entry)])),
      findings,
    ),
    source: source as ToolRecord['source'],
    findings,
  };
}
