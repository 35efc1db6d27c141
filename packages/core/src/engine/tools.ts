/** Tools: blocks shared by several policies of one owner, imported from `.tool` files. */
import type { Caller } from '../access/index.js';
import type { ToolLibrary } from '../catalog/index.js';
import { BlockworkError } from '../errors.js';
import { demandObject } from '../options/index.js';
import type { Finding } from '../policy/index.js';
import type { ToolRecord, ToolReference } from '../records/index.js';
import type { Gate } from './gate.js';

/** An imported tool, without its blocks. */
export type ToolSummary = Pick<ToolRecord, 'messageId' | 'hash' | 'name' | 'description'>;

/** Every method throws `PERMISSION_DENIED` (`POLICIES_POLICY_CREATE`) and `ENGINE_CLOSED`. */
export class Tools {
  constructor(
    private readonly gate: Gate,
    private readonly library: ToolLibrary,
  ) {}

  /**
   * Imports a `.tool` file for the caller's policies, including existing ones. The file does not contain the message
   * and hash it was published under, and its hash cannot be computed from it: the caller vouches for both. Idempotent
   * for the same file. Throws `INPUT_INVALID` without a message or hash, `POLICY_FILE_INVALID`,
   * `POLICY_FILE_TOO_LARGE`, `TOOL_EXISTS` for another file, and the errors common to all methods, such as
   * `ENGINE_CLOSED`.
   *
   * @example const { tool, findings } = await engine.tools.import(owner, toolFile, { messageId, hash });
   */
  async import(
    caller: Caller,
    file: Uint8Array,
    reference: ToolReference,
  ): Promise<{ tool: ToolSummary; findings: readonly Finding[] }> {
    this.gate.admit(caller, 'POLICIES_POLICY_CREATE');
    demandObject(reference, 'tools.import', 'reference', 'a messageId and a hash');
    const { messageId, hash } = reference;
    if (!isText(messageId) || !isText(hash)) {
      throw new BlockworkError('INPUT_INVALID', {
        facts: { reason: 'A tool needs the messageId and hash it was published under.' },
      });
    }
    const { tool, findings } = await this.library.add(caller.did, file, { messageId, hash });
    return { tool: toolSummary(tool), findings };
  }

  /**
   * The file a tool was imported from. Throws `TOOL_UNKNOWN`, and the errors common to all methods, such as
   * `ENGINE_CLOSED`.
   *
   * @example const file = await engine.tools.export(owner, { messageId, hash }); // Uint8Array
   */
  async export(caller: Caller, reference: ToolReference): Promise<Uint8Array> {
    this.gate.admit(caller, 'POLICIES_POLICY_CREATE');
    demandObject(reference, 'tools.export', 'reference', 'a messageId and a hash');
    const { messageId, hash } = reference;
    const tool = await this.library.find(caller.did, { messageId, hash });
    if (tool === undefined) throw new BlockworkError('TOOL_UNKNOWN', { facts: { messageId, hash } });
    return this.library.file(tool);
  }

  /**
   * The tools imported by the caller. Throws the errors common to all methods, such as `ENGINE_CLOSED`.
   *
   * @example const tools = await engine.tools.list(owner);
   */
  async list(caller: Caller): Promise<ToolSummary[]> {
    this.gate.admit(caller, 'POLICIES_POLICY_CREATE');
    return (await this.library.list(caller.did)).map(toolSummary);
  }
}

const toolSummary = ({ messageId, hash, name, description }: ToolRecord): ToolSummary => ({
  messageId,
  hash,
  name,
  description,
});

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
