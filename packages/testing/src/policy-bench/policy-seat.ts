/** A user of the policy under test, with the blocks of the policy in front of them. */
import type { Accounts, Availability, Caller, Json, JsonObject, PolicyEngine } from '@blockwork/core';
import { setAt } from './set-at.js';
import { meets, type Where } from './where.js';
import { policyBlocks } from './policy-blocks.js';

/** What a user takes: a role, a group (a new one under a label, or one they are let into), or an invitation. */
export type RoleChoice =
  { readonly role: string } | { readonly group: string; readonly label?: string } | { readonly invitation: string };

/** The engine and the policy that the seats of a bench share. */
export interface PolicyInUse {
  readonly engine: PolicyEngine;
  readonly accounts: Accounts;
  readonly policyId: string;
  readonly owner: Caller;
}

/** Each method throws what the engine would; a refused one has changed nothing. */
export class PolicySeat {
  constructor(
    readonly caller: Caller,
    private readonly open: () => Promise<PolicyInUse>,
  ) {}

  get did(): string {
    return this.caller.did;
  }

  /** The ledger account that tokens for this user come to. */
  async account(): Promise<string> {
    return (await (await this.open()).accounts.accountOf(this.did)) ?? '';
  }

  /** Takes a role at the first `policyRolesBlock` that is open to this user. */
  async choose(choice: RoleChoice): Promise<Json> {
    const blocks = await policyBlocks(await this.open());
    const tags = blocks.filter(({ blockType }) => blockType === 'policyRolesBlock').map(({ tag }) => tag);
    if (tags.length === 0) throw new Error('The policy has no policyRolesBlock: there is no role to choose.');
    for (const tag of tags) {
      if ((await this.availability(tag)).outcome === 'allowed') return this.send(tag, choice);
    }
    return this.send(tags[0] ?? '', choice);
  }

  /** Gives data to a block, and resolves with its answer when everything that follows from it is done. */
  async send(tag: string, data: unknown): Promise<Json> {
    const { engine, policyId } = await this.open();
    return engine.sendToBlock(this.caller, policyId, { tag }, data);
  }

  /** What a block shows; `query` counts for this read only. */
  async read(tag: string, query: Readonly<Record<string, string>> = {}): Promise<Json> {
    const { engine, policyId } = await this.open();
    return engine.readBlock(this.caller, policyId, { tag }, query);
  }

  /** The rows that a grid shows this user. */
  async grid(tag: string, query: Readonly<Record<string, string>> = {}): Promise<JsonObject[]> {
    const { data } = (await this.read(tag, query)) as { data?: unknown };
    if (!Array.isArray(data)) throw new Error(`The block "${tag}" shows no rows: it is no grid.`);
    return data as JsonObject[];
  }

  /** The first row of a grid that meets the condition, all of them when absent. Throws where there is none. */
  async row(tag: string, where: Where = {}): Promise<JsonObject> {
    const rows = await this.grid(tag);
    const found = rows.find((row) => meets(row, where));
    if (found !== undefined) return found;
    throw new Error(`None of the ${rows.length} rows of "${tag}" is ${JSON.stringify(where)}.`);
  }

  /**
   * Presses a button of a `buttonBlock` for a row of a grid. `set` writes into the row what a web client would, by path;
   * the engine applies only what the policy defines for the button.
   */
  async press(tag: string, button: string, row: JsonObject | null = null, set: Where = {}): Promise<Json> {
    return this.send(tag, { tag: button, document: row === null ? null : setAt(row, set) });
  }

  /** Whether a block is open to this user now, and why not. */
  async availability(tag: string): Promise<Availability> {
    const { engine, policyId } = await this.open();
    return engine.getAvailability(this.caller, policyId, { tag });
  }

  /** The role that this user has now; `No role` before they have chosen one. */
  async role(): Promise<string> {
    const { engine, policyId } = await this.open();
    const { userRole } = await engine.getPolicy(this.caller, policyId);
    return userRole;
  }
}
