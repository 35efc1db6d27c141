/** A draft that is being edited: edits are saved one after the other, each on top of what its author saw, and can be undone. */
import { BlockworkApiError, type CallResult } from '@blockwork/client';
import { type Definition, type EditOperation, type Edits, operationsOf, type SourceOf } from './operations.js';
import { afterEdit, noUndo, type UndoStacks } from './undo-stacks.js';

type Edited = CallResult<'editPolicy'>['data'];

/** A whole definition, as its author wrote it. */
export type WrittenDefinition = Pick<Definition, 'name' | 'config'> & Readonly<Record<string, unknown>>;

/** What the server does for a draft. */
export interface DraftServer {
  edit(operations: readonly EditOperation[], ifMatch: number | undefined): Promise<Edited>;
  undo(edit: string): Promise<Edited>;
  replace(definition: WrittenDefinition, ifMatch: number | undefined): Promise<Edited>;
  /** Of the definition that was read last. */
  readonly sourceOf: SourceOf;
  /** Reads the definition again. Resolves to its revision. `own`: the revision after an edit of this page. */
  refresh(own?: number): Promise<number>;
}

/** An edit that meets a change of somebody else. */
export interface Conflict {
  /** With both values. */
  readonly message: string;
  /** Saves it on top of the other. */
  readonly insist: () => Promise<Edited>;
}

export interface DraftState {
  /** Edits that are being saved. */
  readonly pendingSaves: number;
  /** When the last edit of this session was saved, in ISO 8601. */
  readonly savedAt: string | null;
  readonly failure: Error | null;
  readonly conflict: Conflict | null;
  readonly stacks: UndoStacks;
}

const nothingYet: DraftState = { pendingSaves: 0, savedAt: null, failure: null, conflict: null, stacks: noUndo };

export class Draft {
  #state = nothingYet;
  readonly #listeners = new Set<() => void>();
  #last: Promise<unknown> = Promise.resolve();
  /** The revision on the screen. */
  #seen = 0;
  /** All edits from this revision to the one on the screen are the author's own. */
  #ownSince = 0;

  constructor(private readonly server: DraftServer) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly current = (): DraftState => this.#state;

  /** The revision on the screen: what somebody sees who begins to type. */
  get seen(): number {
    return this.#seen;
  }

  /** The screen shows this revision now. */
  show(revision: number): void {
    // While edits are saved, each of them reads the definition again.
    if (this.#state.pendingSaves === 0 && revision > this.#seen) this.#seen = this.#ownSince = revision;
  }

  /** From the history, when the draft is opened. */
  restore(stacks: UndoStacks): void {
    if (this.#state.stacks === noUndo) this.#set({ stacks });
  }

  /** Resolves when the edits so far are saved, or refused. */
  async settled(): Promise<void> {
    await this.#last;
  }

  /** Resolves to whether it was saved. `seen`: the revision that its author saw, if not the present one. */
  async edit(edits: Edits, revision = this.#seen): Promise<boolean> {
    if (typeof edits !== 'function' && edits.length === 0) return true;
    return this.#change(revision, async (ifMatch) => {
      const operations = operationsOf(edits, this.server.sourceOf);
      return operations.length === 0 ? { revision: this.#seen, edit: null } : this.server.edit(operations, ifMatch);
    });
  }

  /** As `edit`, for a whole definition. */
  async replace(definition: WrittenDefinition, revision = this.#seen): Promise<boolean> {
    return this.#change(revision, async (ifMatch) => this.server.replace(definition, ifMatch));
  }

  /** Saves the edit that met another's on top of that. */
  async insist(): Promise<boolean> {
    const { conflict } = this.#state;
    this.dismiss();
    return conflict === null || this.#change(this.#seen, conflict.insist);
  }

  dismiss(): void {
    this.#set({ conflict: null, failure: null });
  }

  async undo(): Promise<boolean> {
    return this.#undo('done');
  }

  async redo(): Promise<boolean> {
    return this.#undo('undone');
  }

  async #undo(stack: keyof UndoStacks): Promise<boolean> {
    // Read when it is its turn: edits before it may still be under way.
    return this.#change(this.#seen, async () => {
      const edit = this.#state.stacks[stack].at(-1);
      return edit === undefined ? { revision: this.#seen, edit: null } : this.server.undo(edit);
    });
  }

  async #change(revision: number, save: (ifMatch: number | undefined) => Promise<Edited>): Promise<boolean> {
    this.#set({ pendingSaves: this.#state.pendingSaves + 1 });
    const turn = this.#last.then(async () => {
      try {
        await this.#saved(await save(revision >= this.#ownSince ? this.#seen : revision));
        return true;
      } catch (error) {
        await this.#refused(async () => save(undefined), error);
        return false;
      } finally {
        this.#set({ pendingSaves: this.#state.pendingSaves - 1 });
      }
    });
    this.#last = turn;
    return turn;
  }

  async #saved({ revision, edit }: Edited): Promise<void> {
    if (edit !== null) {
      this.#set({ savedAt: edit.at, failure: null, stacks: afterEdit(this.#state.stacks, edit) });
    }
    const isOwn = edit === null || Number(edit.base) === this.#seen;
    const now = await this.server.refresh(revision);
    if (!isOwn || now !== revision) this.#ownSince = now;
    this.#seen = now;
  }

  async #refused(insist: () => Promise<Edited>, error: unknown): Promise<void> {
    if (error instanceof BlockworkApiError && meetings.has(error.error)) {
      const message = error.details.map((detail) => detail.message).join('\n') || error.message;
      this.#set({ conflict: { message, insist } });
    } else {
      this.#set({ failure: error instanceof Error ? error : new Error(String(error)) });
    }
    this.#seen = this.#ownSince = await this.server.refresh().catch(() => this.#seen);
  }

  #set(change: Partial<DraftState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

const meetings: ReadonlySet<string> = new Set(['EDIT_CONFLICT', 'EDIT_OUTDATED']);
