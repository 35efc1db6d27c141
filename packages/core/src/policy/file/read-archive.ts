/** Reads a `.policy` file: a zip archive as the reference exports it. */
import { assemblePolicy } from './assemble.js';
import { OLDEST_CODE_VERSION } from './code-version.js';
import { sortEntries } from './archive-entries.js';
import type { Finding, FindingCode } from '../model/finding.js';
import { policyFileLimits } from './limits.js';
import { parseJson, tryParseJson } from './parse-json.js';
import type { PolicyBundle } from './policy-bundle.js';
import { readArtifacts } from './read-artifacts.js';
import type { ReadPolicyOptions } from './read-options.js';
import { readSchemas } from './read-schemas.js';
import { readTokens } from './read-tokens.js';
import { fileInvalid } from './refusal.js';
import { openZip } from '../zip/archive.js';

const POLICY = 'policy.json';

/**
 * Schemas, tokens and files keep their ids, and so do blocks: `renewBlockIds` gives an import ids of its own.
 * What belongs to the archive but cannot be read is a finding; so is what this engine has no use for.
 * @throws POLICY_FILE_INVALID or POLICY_FILE_TOO_LARGE, naming the entry and the limit. Sizes are checked before
 * anything is unpacked, and unpacking stops where an entry grows beyond the size that was checked.
 */
export function readArchive(bytes: Uint8Array, options: ReadPolicyOptions): PolicyBundle {
  const limits = policyFileLimits(options.limits);
  const archive = openZip(bytes, limits);
  const findings: Finding[] = [];
  const policy = archive.unpack(POLICY);
  if (policy === undefined) throw fileInvalid(`the archive has no ${POLICY}, so it is no policy`);

  const origin = {
    ids: options.ids,
    limits,
    what: POLICY,
    dependenciesRefresh: true,
    unsaidCodeVersion: OLDEST_CODE_VERSION,
  };
  const assembled = assemblePolicy(parseJson(policy, POLICY, limits.nesting), origin, findings);

  const readable = (code: FindingCode) => (name: string) => {
    const content = tryParseJson(archive.unpack(name) ?? new Uint8Array(), name, limits.nesting);
    if (content.reason === undefined) return [{ name, content: content.value }];
    findings.push({ severity: 'warning', code, message: content.reason, path: '' });
    return [];
  };
  const entries = sortEntries(archive.names, findings);
  const [list] = entries.artifactList.flatMap(readable('FILE_IGNORED'));
  const files = entries.artifacts.map(({ name, uuid }) => [uuid, archive.unpack(name) ?? new Uint8Array()] as const);
  return {
    ...assembled,
    schemas: readSchemas(entries.schemas.flatMap(readable('SCHEMA_UNREADABLE')), limits.nesting, findings),
    tokens: readTokens(entries.tokens.flatMap(readable('TOKEN_UNREADABLE')), findings),
    artifacts: readArtifacts(list?.content, new Map(files), findings),
    findings,
  };
}
