/** Reads a `.tool` file, the zip archive of a published tool. */
import { isObject, type ToolRecord } from '../../records/index.js';
import type { Finding } from '../model/policy-model.js';
import { quote } from '../model/quote.js';
import type { ReadPolicyOptions } from './assemble-policy.js';
import { parseJson, tryParseJson } from './json/parse-json.js';
import { fileInvalid } from './limits/file-errors.js';
import { policyFileLimits } from './limits/limits.js';
import { migrate } from './migrations/migrate.js';
import { NEWEST_CODE_VERSION } from './migrations/code-version.js';
import { normalizeConfig } from './normalize/normalize-config.js';
import { readArtifacts } from './parts/artifacts.js';
import { readSchemas } from './parts/schemas.js';
import { openZip } from './zip/archive.js';

export interface ToolBundle extends Pick<
  ToolRecord,
  'name' | 'description' | 'config' | 'schemas' | 'artifacts' | 'source'
> {
  readonly findings: readonly Finding[];
}

const TOOL = 'tool.json';

/**
 * Tools always use the newest block format, so only `dependencies` are migrated, as in any archive.
 * @throws POLICY_FILE_INVALID, POLICY_FILE_TOO_LARGE.
 */
export function readTool(bytes: Uint8Array, { ids, limits: given }: ReadPolicyOptions): ToolBundle {
  const limits = policyFileLimits(given);
  const archive = openZip(bytes, limits);
  const findings: Finding[] = [];
  const file = archive.unpack(TOOL);
  if (file === undefined) throw fileInvalid(`the archive has no ${TOOL}, so it is not a tool`);
  const tool = parseJson(file, TOOL, limits);
  if (!isObject(tool)) throw fileInvalid(`${TOOL} holds ${quote(tool)}, not a tool`);
  const { config: blocks, name, description, ...source } = tool;
  const config = normalizeConfig(blocks, ids, limits, findings);
  if (config.blockType !== 'tool')
    throw fileInvalid(`the root block of ${TOOL} is not a tool but ${quote(config.blockType)}`);
  migrate(config, { written: NEWEST_CODE_VERSION, dependenciesRefresh: true, ids, findings });
  const unpacked = (entry: string): Uint8Array => archive.unpack(entry) ?? new Uint8Array();
  const schemas = archive.names
    .filter((entry) => /^schem(a|e)s\/.+\.json$/.test(entry))
    .flatMap((entry) => {
      const { value, reason } = tryParseJson(unpacked(entry), entry, limits);
      if (reason === undefined) return [{ name: entry, content: value }];
      findings.push({ severity: 'warning', code: 'SCHEMA_UNREADABLE', message: reason, path: '' });
      return [];
    });
  const files = archive.names.filter((entry) => /^ipfs\/[^/]+$/.test(entry));
  return {
    name: typeof name === 'string' ? name : '',
    description: typeof description === 'string' ? description : '',
    config,
    schemas: readSchemas(schemas, limits, findings),
    artifacts: readArtifacts(
      undefined,
      new Map(files.map((entry) => [entry.slice('ipfs/'.length), unpacked(entry)])),
      findings,
    ),
    source: source as ToolRecord['source'],
    findings,
  };
}
