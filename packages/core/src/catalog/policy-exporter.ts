/** The exporter: writes policies, modules and tools as files that this engine and the reference can import. */
import { BlockworkError } from '../errors.js';
import { LoopShare } from '../loop-share.js';
import {
  moduleVariables,
  type PolicyContents,
  walkTree,
  withToolsRenamed,
  writingModule,
  writingPolicy,
  zipped,
} from '../policy/index.js';
import type { Clock, RenamedTool } from '../ports/index.js';
import { isObject, toolKey } from '../records/index.js';
import type { BlockSource, RecordKind, RecordKinds } from '../records/index.js';
import { revisionKeys, type RecordReader } from '../transactions/index.js';
import type { OpenPolicy } from './compiled-policy-cache.js';
import type { ToolLibrary } from './tool-library.js';

export interface PolicyExporterDeps {
  readonly store: RecordReader;
  readonly tools: ToolLibrary;
  readonly clock: Clock;
}

type ExportedTables = Pick<PolicyContents, 'schemas' | 'tokens' | 'artifacts' | 'files'>;

const PAGE = 50;
/** Edits follow each other at the pace of people. */
const ATTEMPTS = 3;

export class PolicyExporter {
  constructor(private readonly deps: PolicyExporterDeps) {}

  /**
   * A `.policy` file with everything the policy was imported with, including its tools, which are named by the messages in `renamed`.
   * Throws `POLICY_FILE_TOO_LARGE`.
   */
  async policy(policy: OpenPolicy, renamed: readonly RenamedTool[] = []): Promise<Uint8Array> {
    const { id, record, tools } = policy;
    const { tools: library, clock } = this.deps;
    const share = new LoopShare(clock);
    const tables = await this.#tables(id, share);
    const messageIds = new Map(renamed.map((tool) => [toolKey(tool), tool.publishedAs]));
    const config = renamed.length === 0 ? policy.config : withToolsRenamed(policy.config, messageIds);
    const carried = await Promise.all(
      tools.map(async (tool) => ({
        tool: { ...tool, messageId: messageIds.get(toolKey(tool)) ?? tool.messageId },
        file: await library.file(tool),
        // The files of tools that use it are as they were.
        formerId: tool.messageId,
      })),
    );
    const contents = { record, config, ...tables, tools: carried };
    return zipped(await share.carryOut(writingPolicy(contents)), share);
  }

  /** What the policy has beside its blocks; read again if somebody edits it meanwhile. */
  async #tables(policyId: string, share: LoopShare): Promise<ExportedTables> {
    const key = revisionKeys.definition.of(policyId);
    for (let attempt = 1; ; attempt += 1) {
      const revision = await this.deps.store.revision(key);
      const tables = {
        schemas: await this.#pages('schema', policyId, share),
        tokens: await this.#pages('token', policyId, share),
        artifacts: await this.#pages('artifact', policyId, share),
        files: await this.#pages('archive-file', policyId, share),
      };
      if (attempt === ATTEMPTS || (await this.deps.store.revision(key)) === revision) return tables;
    }
  }

  /** All records of the kind, page by page: a store copies what it gives. */
  async #pages<Kind extends RecordKind>(kind: Kind, policyId: string, share: LoopShare): Promise<RecordKinds[Kind][]> {
    const all: RecordKinds[Kind][] = [];
    for (;;) {
      const page = await this.deps.store.find(kind, policyId, { offset: all.length, limit: PAGE });
      all.push(...page);
      if (page.length < PAGE) return all;
      await share.giveWay();
    }
  }

  /** A `.module` file of one module of the policy. Throws `BLOCK_UNKNOWN`, `POLICY_FILE_TOO_LARGE`. */
  async module({ id: policyId, record, config }: OpenPolicy, tag: string): Promise<Uint8Array> {
    const module = walkTree(config).find(({ block }) => block.tag === tag && block.blockType === 'module');
    if (module === undefined)
      throw new BlockworkError('BLOCK_UNKNOWN', { facts: { policyId, block: `module "${tag}"` } });
    const { store, clock } = this.deps;
    const schemas = await store.find('schema', policyId);
    const wanted = schemasOf(module.block);
    const share = new LoopShare(clock);
    const named = schemas.filter(({ id }) => wanted.has(id));
    return zipped(await share.carryOut(writingModule(module.block, record.owner, named)), share);
  }
}

/** The values and base schemas of the module's variables of type `Schema`. */
function schemasOf(module: BlockSource): Set<string> {
  const written: unknown[] = Array.isArray(module['variables']) ? module['variables'] : [];
  const bases = written.filter(isObject).map(({ baseSchema }) => baseSchema);
  const schemaIris = moduleVariables(module)
    .filter(({ type }) => type === 'Schema')
    .map(({ value }) => value);
  return new Set([...schemaIris, ...bases].filter((iri) => typeof iri === 'string'));
}
