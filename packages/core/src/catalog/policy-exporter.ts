/** The exporter: writes policies, modules and tools as files that this engine and the reference can import. */
import { BlockworkError } from '../errors.js';
import { moduleVariables, walkTree, writeModule, writePolicy } from '../policy/index.js';
import { isObject } from '../records/index.js';
import type { BlockSource } from '../records/index.js';
import type { RecordReader } from '../transactions/index.js';
import type { OpenPolicy } from './compiled-policy-cache.js';
import type { ToolLibrary } from './tool-library.js';

export interface PolicyExporterDeps {
  readonly store: RecordReader;
  readonly tools: ToolLibrary;
}

export class PolicyExporter {
  constructor(private readonly deps: PolicyExporterDeps) {}

  /**
   * A `.policy` file with everything the policy was imported with, including its tools. Throws `POLICY_FILE_TOO_LARGE`.
   */
  async policy({ id, record, config, tools }: OpenPolicy): Promise<Uint8Array> {
    const { store, tools: library } = this.deps;
    const [schemas, tokens, artifacts, files] = await Promise.all([
      store.find('schema', id),
      store.find('token', id),
      store.find('artifact', id),
      store.find('archive-file', id),
    ]);
    const carried = await Promise.all(tools.map(async (tool) => ({ tool, file: await library.file(tool) })));
    return writePolicy({ record, config, schemas, tokens, artifacts, files, tools: carried });
  }

  /** A `.module` file of one module of the policy. Throws `BLOCK_UNKNOWN`, `POLICY_FILE_TOO_LARGE`. */
  async module({ id: policyId, record, config }: OpenPolicy, tag: string): Promise<Uint8Array> {
    const found = walkTree(config).find(({ block }) => block.tag === tag && block.blockType === 'module');
    if (found === undefined)
      throw new BlockworkError('BLOCK_UNKNOWN', { facts: { policyId, block: `module "${tag}"` } });
    const schemas = await this.deps.store.find('schema', policyId);
    const wanted = schemasOf(found.block);
    return writeModule(
      found.block,
      record.owner,
      schemas.filter(({ id }) => wanted.has(id)),
    );
  }
}

/** The values and base schemas of the module's variables of type `Schema`. */
function schemasOf(module: BlockSource): Set<string> {
  const written: unknown[] = Array.isArray(module['variables']) ? module['variables'] : [];
  const bases = written.filter(isObject).map(({ baseSchema }) => baseSchema);
  const given = moduleVariables(module)
    .filter(({ type }) => type === 'Schema')
    .map(({ value }) => value);
  return new Set([...given, ...bases].filter((iri) => typeof iri === 'string'));
}
