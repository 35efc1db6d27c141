/** The tool library: imported files, looked up by the message and hash by which policies refer to them. */
import { createHash } from 'node:crypto';
import { BlockworkError, isBlockworkError } from '../errors.js';
import { LoopShare } from '../loop-share.js';
import { expandTools, readingTool, toolReferences } from '../policy/index.js';
import type { CarriedTool, Expanded, Finding, PolicyFileLimits } from '../policy/index.js';
import type { Clock, Ids, Logger, PolicyStore, ToolSource } from '../ports/index.js';
import { INSTANCE, PROGRAM, toolId, toolKey } from '../records/index.js';
import type { BlockSource, ToolRecord, ToolReference } from '../records/index.js';
import { lanes, revisionKeys } from '../transactions/index.js';
import type { Executor } from '../transactions/index.js';

export interface ToolLibraryDeps {
  readonly store: Pick<PolicyStore, 'revision' | 'get' | 'find'>;
  readonly executor: Executor;
  /** `null` if tools can only be imported. */
  readonly toolSource: ToolSource | null;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly limits: PolicyFileLimits;
}

export class ToolLibrary {
  constructor(private readonly deps: ToolLibraryDeps) {}

  /**
   * Stores a tool for its owner's policies. Idempotent for the same file. Throws `POLICY_FILE_INVALID`,
   * `POLICY_FILE_TOO_LARGE`, `TOOL_EXISTS` if another file was imported under this reference.
   */
  async add(
    owner: string,
    bytes: Uint8Array,
    reference: ToolReference,
  ): Promise<{ tool: ToolRecord; findings: readonly Finding[] }> {
    const { executor, clock, ids, limits } = this.deps;
    // Its owner may change it while it is read.
    const file = Uint8Array.from(bytes);
    const { findings, ...contents } = await new LoopShare(clock).carryOut(readingTool(file, { ids, limits }));
    const { messageId, hash } = reference;
    const digest = createHash('sha256').update(file).digest('hex');
    const tool: ToolRecord = { id: toolId(owner, reference), owner, messageId, hash, digest, ...contents };
    await executor.run(lanes.tools.of(), [revisionKeys.tools.of()], async (unit) => {
      const before = await unit.get('tool', INSTANCE, tool.id);
      if (before === undefined) {
        unit.put('tool', INSTANCE, tool);
        unit.put('archive-file', INSTANCE, { id: tool.id, content: Buffer.from(file).toString('base64') });
      } else if (before.digest !== digest) throw new BlockworkError('TOOL_EXISTS', { facts: { messageId, hash } });
    });
    return { tool, findings };
  }

  /**
   * Adds the tools in an archive that its policy uses, directly or through other tools. Never rejects because of a
   * tool.
   */
  async addCarried(owner: string, config: BlockSource, carried: readonly CarriedTool[]): Promise<Finding[]> {
    const files = new Map(carried.map(({ reference, file }) => [toolKey(reference), file]));
    const findings: Finding[] = [];
    const queue = toolReferences(config);
    for (let next = queue.shift(); next !== undefined && files.size > 0; next = queue.shift()) {
      const file = files.get(toolKey(next));
      if (!files.delete(toolKey(next)) || file === undefined) continue;
      try {
        const { tool } = await this.add(owner, file, next);
        queue.push(...toolReferences(tool.config));
      } catch (error) {
        if (!isBlockworkError(error)) throw error;
        const message = `The archive's tool ${next.hash} is not imported: ${error.message}`;
        findings.push({ severity: 'warning', code: 'FILE_IGNORED', message, path: '' });
      }
    }
    return findings;
  }

  /** The file that a tool was imported from. */
  async file({ id }: ToolRecord): Promise<Uint8Array> {
    const stored = await this.deps.store.get('archive-file', INSTANCE, id);
    return Buffer.from(stored?.content ?? '', 'base64');
  }

  /** The tools of an owner, oldest first. */
  list(owner: string): Promise<ToolRecord[]> {
    return this.deps.store.find('tool', INSTANCE, { where: { path: 'owner', op: 'eq', value: owner } });
  }

  /** The policy with its tools inlined, the tools, and their revision (`null` if it uses none). */
  async expand(
    owner: string,
    config: BlockSource,
  ): Promise<{ expanded: Expanded; tools: readonly ToolRecord[]; revision: number | null }> {
    const { store, limits } = this.deps;
    if (toolReferences(config).length === 0) return { expanded: { config, findings: [] }, tools: [], revision: null };
    const revision = await store.revision(revisionKeys.tools.of());
    const { tools } = await this.#resolve(owner, config);
    return { expanded: expandTools(config, tools, limits), tools: [...tools.values()], revision };
  }

  /**
   * Fetches missing tools from the source, including those that fetched tools refer to. Never rejects because of a
   * tool.
   */
  async fetchMissing(owner: string, config: BlockSource): Promise<void> {
    const { toolSource } = this.deps;
    if (toolSource === null) return;
    const requested = new Set<string>();
    for (;;) {
      const { missing } = await this.#resolve(owner, config);
      const wanted = missing.filter((reference) => !requested.has(toolKey(reference)));
      if (wanted.length === 0) return;
      for (const reference of wanted) {
        requested.add(toolKey(reference));
        await this.#fetch(toolSource, reference);
      }
    }
  }

  async #fetch(source: ToolSource, reference: ToolReference): Promise<void> {
    try {
      const file = await source.find(reference);
      if (file !== undefined) await this.add(PROGRAM, file, reference);
    } catch (error) {
      this.deps.logger.warn('A tool could not be fetched.', { ...reference, error });
    }
  }

  /** Visits each tool once, including those that tools refer to. */
  async #resolve(
    owner: string,
    config: BlockSource,
  ): Promise<{ tools: Map<string, ToolRecord>; missing: ToolReference[] }> {
    const tools = new Map<string, ToolRecord>();
    const missing: ToolReference[] = [];
    const seen = new Set<string>();
    const queue = toolReferences(config);
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const key = toolKey(next);
      if (seen.has(key) || tools.size >= this.deps.limits.tools) continue;
      seen.add(key);
      const tool = await this.find(owner, next);
      if (tool === undefined) missing.push(next);
      else {
        tools.set(key, tool);
        queue.push(...toolReferences(tool.config));
      }
    }
    return { tools, missing };
  }

  /** The owner's own tool takes precedence over the program's. */
  async find(owner: string, reference: ToolReference): Promise<ToolRecord | undefined> {
    const { store } = this.deps;
    const own = await store.get('tool', INSTANCE, toolId(owner, reference));
    return own ?? store.get('tool', INSTANCE, toolId(PROGRAM, reference));
  }
}
