/** Reads a policy without an engine, for editors, checks and other tools that store nothing. */
import type { BlockType } from '../block-api/index.js';
import { interfaceBlocks } from '../blocks/index.js';
// Imported directly rather than through the index files, which would double the load time of programs that only read a
// policy.
import { blockRegistry } from '../catalog/block-registry.js';
import { randomIds } from '../defaults/index.js';
import { referenceFindings } from '../lifecycle/reference-findings.js';
import { demandOptions } from '../options/index.js';
import {
  compilePolicy,
  findingsByHand,
  located,
  policyAsJson,
  readPolicyFile,
  readPolicyJson,
} from '../policy/index.js';
import type { Finding, PolicyAsJson, PolicyBundle, PolicyFileLimits, PolicyTree } from '../policy/index.js';
import { policyInterface, type PolicyInterface } from './interface/policy-interface.js';
import { defaultEngineLimits } from './limits.js';

export interface ReadPolicyOptions {
  /** Block types in addition to the interface blocks; one of the same name replaces a standard one. */
  readonly blocks?: readonly BlockType[];
  readonly limits?: Partial<PolicyFileLimits>;
  /**
   * Whether block types validate their blocks, including formulas, and references are checked; default `true`.
   * Otherwise only the file and its block structure are checked, which is faster.
   */
  readonly check?: boolean;
}

/** A policy as written in its file. */
export interface PolicyFile extends Omit<PolicyBundle, 'config' | 'text'> {
  readonly name: string;
  /** Its blocks, with the ids from the file. */
  readonly tree: PolicyTree;
  /** Everything the engine would report when importing and validating the policy, and what its author may have forgotten. */
  readonly findings: readonly Finding[];
  /** The interface of its blocks for users of each role. */
  readonly interface: () => PolicyInterface;
}

/**
 * Reads and checks a policy: a `.policy` archive or a `.policy.json` file as bytes, or a JSON value with the content of its `policy.json`. Tools
 * are not resolved. Rejects with `POLICY_FILE_INVALID`, `POLICY_FILE_TOO_LARGE`, `POLICY_INVALID` for two blocks with
 * the same id, `OPTION_INVALID`.
 */
export async function readPolicy(source: unknown, options: ReadPolicyOptions = {}): Promise<PolicyFile> {
  demandOptions(options, 'readPolicy', 'options');
  const { blocks = [], limits = {}, check = true } = options;
  const { itemsPerPage } = defaultEngineLimits;
  const registry = blockRegistry([...interfaceBlocks({ itemsPerPage }), ...blocks]);
  const reading = { ids: randomIds, limits };
  const read = source instanceof Uint8Array ? readPolicyFile(source, reading) : readPolicyJson(source, reading);
  const { config, text, ...bundle } = read;
  const { about, schemas, tokens } = bundle;
  const { policyRoles: roles, policyGroups: groups, policyNavigation: navigation } = about;
  const { policyTopics: topics, policyTokens: tokenTemplates } = about;
  const tree = compilePolicy(config, { roles, groups, navigation, topics, tokenTemplates, check }, registry);
  const parts = { archived: bundle.archived === true, topics, tokenTemplates, schemas, tokens };
  const findings = located(
    [...findingsByHand(read), ...bundle.findings, ...tree.findings, ...(check ? referenceFindings(tree, parts) : [])],
    text,
  );
  return { ...bundle, name: about.name, tree, findings, interface: () => policyInterface({ tree, schemas }, registry) };
}

/**
 * What `readPolicy` accepts, as one JSON value in the newest format, and the files of an archive that JSON does not hold. Throws as
 * `readPolicy`.
 */
export const writtenAsJson = (source: unknown, limits: Partial<PolicyFileLimits> = {}): PolicyAsJson =>
  policyAsJson(source, { ids: randomIds, limits });
