/** A user's session with the policy under test. */
import type { DocumentOf, FormOf, TagOf } from '@blockwork/blocks';
import type { Availability, Caller, Json, JsonObject } from '@blockwork/core';
import { setAt } from './set-at.js';
import { meets, type Where } from './where.js';
import { policyBlocks, type PolicyUnderTest } from './policy-under-test.js';

/** Input of a `policyRolesBlock`: a role, a group (optionally a new one with a label), or an invitation. */
export type RoleChoice =
  { readonly role: string } | { readonly group: string; readonly label?: string } | { readonly invitation: string };

/** What a form takes; other blocks take what their pages say. */
export type InputOf<Policy, Tag> =
  string extends FormOf<Policy> ? unknown : Tag extends FormOf<Policy> ? FormInput<DocumentOf<Policy, Tag>> : unknown;

interface FormInput<Document> {
  readonly document: Document;
  readonly ref?: unknown;
  readonly draft?: boolean;
}

/**
 * Each method throws what the engine throws; a refused call changes nothing. `Policy` is the type of a policy that is written as
 * code: its tags and documents are checked by the compiler.
 */
export class UserSession<Policy = unknown> {
  constructor(
    readonly caller: Caller,
    private readonly open: () => Promise<PolicyUnderTest>,
  ) {}

  get did(): string {
    return this.caller.did;
  }

  /** The user's ledger account. */
  async account(): Promise<string> {
    return (await (await this.open()).accounts.accountOf(this.did)) ?? '';
  }

  /** Chooses a role at the first `policyRolesBlock` that is open to this user. */
  async choose(choice: RoleChoice): Promise<Json> {
    const blocks = await policyBlocks(await this.open());
    const tags = blocks.filter(({ blockType }) => blockType === 'policyRolesBlock').map(({ tag }) => tag);
    if (tags.length === 0) throw new Error('The policy has no policyRolesBlock: there is no role to choose.');
    for (const tag of tags) {
      if ((await this.availabilityOf(tag)).outcome === 'allowed') return this.sendTo(tag, choice);
    }
    return this.sendTo(tags[0] ?? '', choice);
  }

  /** Sends data to a block. Resolves with its answer after everything that follows has been committed. */
  async send<Tag extends TagOf<Policy>>(tag: Tag, data: InputOf<Policy, Tag>): Promise<Json> {
    return this.sendTo(tag, data);
  }

  /** Submits a form: sends its document, about the document `ref` if the policy asks for one. */
  async submit<Tag extends FormOf<Policy>>(
    tag: Tag,
    document: DocumentOf<Policy, Tag>,
    ref: Json = null,
  ): Promise<Json> {
    return this.sendTo(tag, { document, ref });
  }

  private async sendTo(tag: string, data: unknown): Promise<Json> {
    const { engine, policyId } = await this.open();
    return engine.sendToBlock(this.caller, policyId, { tag }, data);
  }

  /** Reads a block; `query` applies to this read only. */
  async read(tag: TagOf<Policy>, query: Readonly<Record<string, string>> = {}): Promise<Json> {
    const { engine, policyId } = await this.open();
    return engine.readBlock(this.caller, policyId, { tag }, query);
  }

  /** The rows of a grid that this user sees. */
  async grid(tag: TagOf<Policy>, query: Readonly<Record<string, string>> = {}): Promise<JsonObject[]> {
    const { data } = (await this.read(tag, query)) as { data?: unknown };
    if (!Array.isArray(data)) throw new Error(`The answer of block "${tag}" has no rows, so it is not a grid.`);
    return data as JsonObject[];
  }

  /** The first row of a grid that meets the condition. Throws if there is none. */
  async row(tag: TagOf<Policy>, where: Where = {}): Promise<JsonObject> {
    const rows = await this.grid(tag);
    const match = rows.find((row) => meets(row, where));
    if (match !== undefined) return match;
    throw new Error(`None of the ${rows.length} rows of "${tag}" matches ${JSON.stringify(where)}.`);
  }

  /**
   * Presses a button of a `buttonBlock` for a row of a grid. `set` changes values of the row by path, as a web client would;
   * the engine applies only what the policy defines for the button.
   */
  async press(tag: TagOf<Policy>, button: string, row: JsonObject | null = null, set: Where = {}): Promise<Json> {
    return this.sendTo(tag, { tag: button, document: row === null ? null : setAt(row, set) });
  }

  /** Whether a block is open to this user now, or the reason why not. */
  async availability(tag: TagOf<Policy>): Promise<Availability> {
    return this.availabilityOf(tag);
  }

  private async availabilityOf(tag: string): Promise<Availability> {
    const { engine, policyId } = await this.open();
    return engine.getAvailability(this.caller, policyId, { tag });
  }

  /** The user's current role; `No role` before they have chosen one. */
  async role(): Promise<string> {
    const { engine, policyId } = await this.open();
    const { userRole } = await engine.getPolicy(this.caller, policyId);
    return userRole;
  }
}
