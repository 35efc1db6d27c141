/** Reads a policy without an engine: for editors, checks and tools that store nothing. */
import type { BlockType } from '../block-api/index.js';
import { interfaceBlocks } from '../blocks/index.js';
// From the files themselves: the rooms around them take programs that only read a policy twice as long to load.
import { blockRegistry } from '../catalog/block-registry.js';
import { randomIds } from '../defaults/index.js';
import { referenceFindings } from '../lifecycle/reference-findings.js';
import { demandOptions } from '../options/index.js';
import { compilePolicy, readArchive, readPolicyJson } from '../policy/index.js';
import type { Finding, PolicyBundle, PolicyFileLimits, PolicyTree } from '../policy/index.js';
import { policyInterface, type PolicyInterface } from './interface/policy-interface.js';
import { defaultEngineLimits } from './limits.js';

export interface ReadPolicyOptions {
  /** Block types besides the interface blocks; one of the same name replaces it. */
  readonly blocks?: readonly BlockType[];
  readonly limits?: Partial<PolicyFileLimits>;
  /**
   * Whether block types check their blocks, formulas among them, and references are followed; default `true`. Without,
   * findings are only those of the file and of how its blocks are put together, and reading takes less time.
   */
  readonly check?: boolean;
}

/** A policy as its file has it. */
export interface PolicyFile extends Omit<PolicyBundle, 'config'> {
  readonly name: string;
  /** Its blocks, with the ids of the file. */
  readonly tree: PolicyTree;
  /** Everything that the engine would report when it imports and validates the policy. */
  readonly findings: readonly Finding[];
  /** What its users read and send at its blocks, each role of them. */
  readonly interface: () => PolicyInterface;
}

/**
 * Reads and checks a policy: a `.policy` archive as bytes, or a JSON value that holds what its `policy.json` does. Tools are
 * not resolved. Rejects with `POLICY_FILE_INVALID`, `POLICY_FILE_TOO_LARGE`, `POLICY_INVALID` for two blocks with one id or
 * tag, `OPTION_INVALID`.
 */
export async function readPolicy(source: unknown, options: ReadPolicyOptions = {}): Promise<PolicyFile> {
  demandOptions(options, 'readPolicy', 'options');
  const { blocks = [], limits = {}, check = true } = options;
  const { itemsPerPage } = defaultEngineLimits;
  const registry = blockRegistry([...interfaceBlocks({ itemsPerPage }), ...blocks]);
  const reading = { ids: randomIds, limits };
  const { config, ...bundle } =
    source instanceof Uint8Array ? readArchive(source, reading) : readPolicyJson(source, reading);
  const { about, schemas, tokens } = bundle;
  const { policyRoles: roles, policyGroups: groups, policyNavigation: navigation } = about;
  const tree = compilePolicy(config, { roles, groups, navigation, check }, registry);
  const { policyTopics: topics, policyTokens: tokenTemplates } = about;
  const parts = { archived: bundle.archived === true, topics, tokenTemplates, schemas, tokens };
  const findings = [...bundle.findings, ...tree.findings, ...(check ? referenceFindings(tree, parts) : [])];
  return { ...bundle, name: about.name, tree, findings, interface: () => policyInterface({ tree, schemas }, registry) };
}
