/** Reads a `.policy` file, the zip archive that the reference exports, or a `.module` file as a policy around the module. */
import { isUtf8 } from 'node:buffer';
import { atOnce, type Steps } from '../../loop-share.js';
import { isObject } from '../../records/index.js';
import type { Finding, FindingCode } from '../model/policy-model.js';
import { moduleVariables } from '../model/module.js';
import { quote } from '../model/quote.js';
import { assembling, type ReadPolicyOptions } from './assemble-policy.js';
import { parseJson, textOf, tryParseJson } from './json/parse-json.js';
import { fileInvalid } from './limits/file-errors.js';
import { policyFileLimits, type PolicyFileLimits } from './limits/limits.js';
import type { PolicyText } from './located.js';
import { NEWEST_CODE_VERSION, OLDEST_CODE_VERSION } from './migrations/code-version.js';
import { readArtifacts } from './parts/artifacts.js';
import { readingSchemas } from './parts/schemas.js';
import { readTokens } from './parts/tokens.js';
import type { PolicyBundle } from './policy-bundle.js';
import { listed } from './read-json.js';
import { readToolFiles, TOOL_FILES } from './tool-files.js';
import { openZip, type ZipArchive } from './zip/archive.js';

const POLICY = 'policy.json';
const MODULE = 'module.json';

/**
 * All ids are kept, also those of blocks: use `renewBlockIds` to import the same file twice. Unreadable and unknown
 * entries are findings.
 * @throws POLICY_FILE_INVALID or POLICY_FILE_TOO_LARGE, naming the entry and the limit. Announced sizes are checked before
 * anything is unpacked, and unpacking stops as soon as an entry exceeds its announced size.
 */
export const readArchive = (bytes: Uint8Array, options: ReadPolicyOptions): PolicyBundle =>
  atOnce(readingArchive(bytes, options));

/** As `readArchive`, entry by entry and block by block. */
export function* readingArchive(bytes: Uint8Array, options: ReadPolicyOptions): Steps<PolicyBundle> {
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
  yield;
  const written = policyIn(archive, limits);
  yield;
  const { schemas, tokens, ...policy } = isObject(written) ? written : {};
  const assembled = yield* assembling(isObject(written) ? policy : written, origin, findings);

  const unpack = (name: string): Uint8Array => archive.unpack(name) ?? new Uint8Array();
  function* readable(names: readonly string[], code: FindingCode): Steps<{ name: string; content: unknown }[]> {
    const contents: { name: string; content: unknown }[] = [];
    for (const name of names) {
      yield;
      const { value, reason } = tryParseJson(unpack(name), name, limits);
      if (reason === undefined) contents.push({ name, content: value });
      else findings.push({ severity: 'warning', code, message: reason, path: '', file: name, pointer: '' });
    }
    return contents;
  }
  const entries = sortEntries(archive.names, findings);
  const [list] = yield* readable(entries.artifactList, 'FILE_IGNORED');
  const artifacts = new Map<string, Uint8Array>();
  for (const { name, uuid } of entries.artifacts) {
    artifacts.set(uuid, unpack(name));
    yield;
  }
  const files: PolicyBundle['files'][number][] = [];
  for (const name of entries.paths) {
    files.push({ id: name, content: Buffer.from(unpack(name)).toString('base64') });
    yield;
  }
  return {
    ...assembled,
    schemas: yield* readingSchemas(
      [
        ...(yield* readable(entries.schemas, 'SCHEMA_UNREADABLE')),
        ...listed(schemas, 'schemas', 'SCHEMA_UNREADABLE', findings),
      ],
      limits,
      findings,
    ),
    tokens: readTokens(
      [
        ...(yield* readable(entries.tokens, 'TOKEN_UNREADABLE')),
        ...listed(tokens, 'tokens', 'TOKEN_UNREADABLE', findings),
      ],
      findings,
    ),
    artifacts: readArtifacts(list?.content, artifacts, findings),
    files,
    tools: readToolFiles(archive, limits, findings),
    archived: true,
    text: textIn(archive),
    findings,
  };
}

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

interface ArchiveEntries {
  readonly schemas: readonly string[];
  readonly tokens: readonly string[];
  /** The metadata of the artifacts: at most one name. */
  readonly artifactList: readonly string[];
  readonly artifacts: readonly { readonly name: string; readonly uuid: string }[];
  /** Entries that belong to a policy but are not used by this engine. */
  readonly paths: readonly string[];
}

/** Excludes `proof.json`, which is a proof of the exact file that contains it. */
const opaqueFolders = /^(tools|tags|tests|formulas|systemSchemas|projectData|ipfs)\/./;

/** Unknown entries are reported with one finding per top-level folder or file. */
function sortEntries(names: readonly string[], findings: Finding[]): ArchiveEntries {
  const schemas: string[] = [];
  const tokens: string[] = [];
  const artifactList: string[] = [];
  const artifacts: { name: string; uuid: string }[] = [];
  const paths: string[] = [];
  const ignored: string[] = [];
  for (const name of names) {
    if (name === 'policy.json' || name === 'module.json' || name.startsWith(TOOL_FILES)) continue;
    else if (/^schem(a|e)s\/.+\.json$/.test(name)) schemas.push(name);
    else if (/^tokens\/.+\.json$/.test(name)) tokens.push(name);
    else if (name === 'artifacts/metadata.json') artifactList.push(name);
    else if (/^artifacts\/[^/]+$/.test(name)) artifacts.push({ name, uuid: name.slice('artifacts/'.length) });
    else if (opaqueFolders.test(name)) paths.push(name);
    else ignored.push(name);
  }
  report(paths, (what) => `This engine keeps ${what} in the archive for exports, and makes no use of it.`, findings);
  report(ignored, (what) => `This engine ignores ${what} in the archive.`, findings);
  return { schemas, tokens, artifactList, artifacts, paths };
}

function report(names: readonly string[], messageFor: (what: string) => string, findings: Finding[]): void {
  const counts = new Map<string, number>();
  for (const name of names) {
    const top = name.slice(0, name.indexOf('/') + 1) || name;
    counts.set(top, (counts.get(top) ?? 0) + 1);
  }
  for (const [top, count] of counts) {
    const what = top.endsWith('/') ? `${count} file${count === 1 ? '' : 's'} in ${top}` : top;
    findings.push({ severity: 'warning', code: 'FILE_IGNORED', message: messageFor(what), path: '' });
  }
}

/** JSON pointer of the module in the configuration of the policy around it. */
const MODULE_PATH = '/children/1';

const special = new Set(['ANY_ROLE', 'OWNER', 'NO_ROLE']);

/**
 * The JSON of the policy. Most variables have no value, so that their name stands for itself. What the variables for
 * roles, groups, topics and token templates stand for, the policy has.
 * @param module the JSON of `module.json`. @throws POLICY_FILE_INVALID.
 */
function policyForModule(module: unknown): Record<string, unknown> {
  if (!isObject(module)) throw fileInvalid(`module.json holds ${quote(module)}, not a module`);
  const { name, description, config } = module;
  if (!isObject(config) || config['blockType'] !== 'module') {
    throw fileInvalid('the root block of module.json is not a module', '/config');
  }
  const variables = moduleVariables(config);
  const meantBy = (type: string): string[] => [
    ...new Set(variables.filter((each) => each.type === type).map(({ name, value }) => value || name)),
  ];
  const roleOf = new Map(
    variables.filter(({ type }) => type === 'Role').map(({ name, value }) => [name, value || name]),
  );
  const named = permissionsIn(config).map((role) => roleOf.get(role) ?? role);
  const roles = new Set([...roleOf.values(), ...named].filter((role) => !special.has(role)));
  return {
    name,
    description,
    codeVersion: NEWEST_CODE_VERSION,
    policyRoles: [...roles],
    policyTopics: meantBy('Topic').map((topic) => ({ name: topic })),
    policyGroups: meantBy('Group').map((group) => ({ name: group, members: [...roles] })),
    policyTokens: meantBy('TokenTemplate').map((template) => ({ templateTokenTag: template })),
    config: {
      blockType: 'interfaceContainerBlock',
      permissions: ['ANY_ROLE'],
      children: [roleChoice(roles), { ...config, defaultActive: true, permissions: usedBy(config) }],
    },
  };
}

const roleChoice = (roles: ReadonlySet<string>): Record<string, unknown> => ({
  blockType: 'policyRolesBlock',
  tag: 'choose_role',
  permissions: ['NO_ROLE'],
  defaultActive: true,
  stopPropagation: true,
  roles: [...roles],
});

/** A module leaves its permissions to the enclosing policy. */
const usedBy = ({ permissions }: Record<string, unknown>): unknown =>
  Array.isArray(permissions) && permissions.length > 0 ? permissions : ['ANY_ROLE'];

/** Depth first, without recursion: the depth of the file is not checked yet. */
function permissionsIn(config: Record<string, unknown>): string[] {
  const allPermissions: string[] = [];
  const open: unknown[] = [config];
  for (let block = open.pop(); block !== undefined; block = open.pop()) {
    if (!isObject(block)) continue;
    const { permissions, children } = block;
    if (Array.isArray(permissions)) allPermissions.push(...permissions.filter((role) => typeof role === 'string'));
    if (Array.isArray(children)) open.push(...(children as unknown[]));
  }
  return allPermissions;
}
