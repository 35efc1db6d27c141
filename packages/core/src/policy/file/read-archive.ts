/** Reads a `.policy` file, the zip archive that the reference exports, or a `.module` file as a policy around the module. */
import { isUtf8 } from 'node:buffer';
import { assemblePolicy, type ReadPolicyOptions } from './assemble-policy.js';
import { OLDEST_CODE_VERSION } from './migrations/code-version.js';
import { sortEntries } from './archive-entries.js';
import type { Finding, FindingCode } from '../model/finding.js';
import { policyFileLimits, type PolicyFileLimits } from './limits/limits.js';
import { parseJson, textOf, tryParseJson } from './json/parse-json.js';
import type { PolicyBundle } from './policy-bundle.js';
import { readArtifacts } from './parts/artifacts.js';
import { readSchemas } from './parts/schemas.js';
import { readTokens } from './parts/tokens.js';
import { listed } from './read-json.js';
import { isObject } from '../../records/index.js';
import { fileInvalid } from './limits/file-errors.js';
import type { PolicyText } from './located.js';
import { MODULE_PATH, policyForModule } from './policy-for-module.js';
import { readToolFiles } from './tool-files.js';
import { openZip, type ZipArchive } from './zip/archive.js';

const POLICY = 'policy.json';
const MODULE = 'module.json';

/**
 * All ids are kept, also those of blocks: use `renewBlockIds` to import the same file twice. Unreadable and unknown
 * entries are findings.
 * @throws POLICY_FILE_INVALID or POLICY_FILE_TOO_LARGE, naming the entry and the limit. Announced sizes are checked before
 * anything is unpacked, and unpacking stops as soon as an entry exceeds its announced size.
 */
export function readArchive(bytes: Uint8Array, options: ReadPolicyOptions): PolicyBundle {
  const limits = policyFileLimits(options.limits);
  const archive = openZip(bytes, limits);
  const findings: Finding[] = [];
  const origin = {
    ids: options.ids,
    limits,
    label: POLICY,
    dependenciesRefresh: true,
    defaultCodeVersion: OLDEST_CODE_VERSION,
  };
  const written = policyIn(archive, limits);
  const { schemas, tokens, ...policy } = isObject(written) ? written : {};
  const assembled = assemblePolicy(isObject(written) ? policy : written, origin, findings);

  const readable = (code: FindingCode) => (name: string) => {
    const content = tryParseJson(archive.unpack(name) ?? new Uint8Array(), name, limits);
    if (content.reason === undefined) return [{ name, content: content.value }];
    findings.push({ severity: 'warning', code, message: content.reason, path: '', file: name, pointer: '' });
    return [];
  };
  const entries = sortEntries(archive.names, findings);
  const [list] = entries.artifactList.flatMap(readable('FILE_IGNORED'));
  const files = entries.artifacts.map(({ name, uuid }) => [uuid, archive.unpack(name) ?? new Uint8Array()] as const);
  return {
    ...assembled,
    schemas: readSchemas(
      [
        ...entries.schemas.flatMap(readable('SCHEMA_UNREADABLE')),
        ...listed(schemas, 'schemas', 'SCHEMA_UNREADABLE', findings),
      ],
      limits,
      findings,
    ),
    tokens: readTokens(
      [
        ...entries.tokens.flatMap(readable('TOKEN_UNREADABLE')),
        ...listed(tokens, 'tokens', 'TOKEN_UNREADABLE', findings),
      ],
      findings,
    ),
    artifacts: readArtifacts(list?.content, new Map(files), findings),
    files: entries.kept.map((name) => ({ id: name, content: base64(archive.unpack(name)) })),
    tools: readToolFiles(archive, limits, findings),
    archived: true,
    text: textIn(archive),
    findings,
  };
}

const base64 = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('base64');

function textIn(archive: ZipArchive): PolicyText {
  const isPolicy = archive.names.includes(POLICY);
  return {
    file: isPolicy ? POLICY : MODULE,
    config: { pointer: '/config', path: isPolicy ? '' : MODULE_PATH },
    read(file = POLICY) {
      const bytes = archive.unpack(file);
      return bytes && isUtf8(bytes) ? textOf(bytes, file) : undefined;
    },
  };
}

function policyIn(archive: ZipArchive, limits: PolicyFileLimits): unknown {
  const policy = archive.unpack(POLICY);
  if (policy !== undefined) return parseJson(policy, POLICY, limits);
  const module = archive.unpack(MODULE);
  if (module !== undefined) return policyForModule(parseJson(module, MODULE, limits));
  throw fileInvalid(`the archive has no ${POLICY}, so it is not a policy`);
}
