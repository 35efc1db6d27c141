/** Tools: blocks that several policies of one owner share, imported from `.tool` files. */
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
   * Imports a `.tool` file for the policies of the caller, those included that are here already. The file does not say
   * under which message and hash it was published, and its hash cannot be worked out from it: the caller vouches for
   * both. The same file again changes nothing. Throws `INPUT_INVALID` without a message or hash, `POLICY_FILE_INVALID`,
   * `POLICY_FILE_TOO_LARGE`, `TOOL_EXISTS` for another file, and what every method throws, `ENGINE_CLOSED` among them.
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

  /** The file that a tool was imported from. Throws `TOOL_UNKNOWN`, and what every method throws, `ENGINE_CLOSED` among them. */
  async export(caller: Caller, reference: ToolReference): Promise<Uint8Array> {
    this.gate.admit(caller, 'POLICIES_POLICY_CREATE');
    demandObject(reference, 'tools.export', 'reference', 'a messageId and a hash');
    const { messageId, hash } = reference;
    const tool = await this.library.find(caller.did, { messageId, hash });
    if (tool === undefined) throw new BlockworkError('TOOL_UNKNOWN', { facts: { messageId, hash } });
    return this.library.file(tool);
  }

  /** The tools that the caller has imported. Throws what every method throws, `ENGINE_CLOSED` among them. */
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
