/** Edits of drafts: each is one unit of work, journaled, and kept in the history of the draft with its author. */
import { createHash } from 'node:crypto';
import { editedLists, type EditOperation } from '@blockwork/contract/edit-operations';
import type { Caller } from '../access/index.js';
import { assertOwnedIn, revisionId } from '../catalog/index.js';
import { journalEntry } from '../context/index.js';
import { BlockworkError, isBlockworkError } from '../errors.js';
import { LoopShare, type Steps } from '../loop-share.js';
import type { PolicyFileLimits } from '../policy/index.js';
import { isoNow, type Clock, type Ids } from '../ports/index.js';
import { equalTo, INSTANCE, isObject, jsonBytes, sameJson } from '../records/index.js';
import type { PolicyConfiguration, PolicyEdit, StoredPolicy } from '../records/index.js';
import { lanes, revisionKeys } from '../transactions/index.js';
import type { Executor, RecordReader, UnitOfWork } from '../transactions/index.js';
import { assertApart } from './conflicts.js';
import {
  addToHistory,
  editNamed,
  editsBetween,
  editWithKey,
  type HistoryLimits,
  type NewEdit,
} from './edit-history.js';
import { applyingEdits, readOperations, type Edited } from './operations/apply.js';
import type { PolicyDefinition } from './operations/definition.js';
import type { EditContext } from './operations/edit-draft.js';
import { definitionOf, editedFacts, recordsOf } from './stored-definition.js';

export interface DraftEditorDeps {
  readonly executor: Executor;
  readonly store: RecordReader;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: HistoryLimits;
  readonly fileLimits: PolicyFileLimits;
}

/** What to do to a draft. */
export type DraftChange =
  | { readonly operations: unknown }
  /** The id of an edit in the history. */
  | { readonly undo: string }
  /** A whole definition, of which only the parts that differ are changed. */
  | { readonly definition: PolicyDefinition };

export interface EditOptions {
  /** The revision that the author saw: later edits by others are kept, or the edit is refused. */
  readonly ifMatch?: number | undefined;
  /** Repeating an edit with the key of an earlier one changes nothing, and has the same answer. */
  readonly idempotencyKey?: string | undefined;
}

/** A definition and its revision. */
export interface RevisedDefinition {
  readonly revision: number;
  readonly definition: PolicyDefinition;
}

/** `edit` is `null` if there was nothing to change. */
export interface EditOutcome {
  readonly revision: number;
  readonly edit: PolicyEdit | null;
}

interface Loaded extends RevisedDefinition {
  readonly record: StoredPolicy;
  readonly configuration: PolicyConfiguration;
}

export class DraftEditor {
  constructor(private readonly deps: DraftEditorDeps) {}

  /** Throws `POLICY_UNKNOWN`. */
  async read(policyId: string): Promise<RevisedDefinition> {
    const { store } = this.deps;
    const key = revisionKeys.definition.of(policyId);
    for (;;) {
      const revision = await store.revision(key);
      const { definition } = await this.#load(store, policyId, revision);
      if ((await store.revision(key)) === revision) return { revision, definition };
    }
  }

  /** Applies operations to a definition that is not stored. Throws `EDIT_INVALID`. */
  async preview(policyId: string, definition: PolicyDefinition, operations: unknown): Promise<PolicyDefinition> {
    const context = this.#context(policyId);
    const steps = applyingEdits(definition, readOperations(operations, context), context);
    return (await new LoopShare(this.deps.clock).carryOut(steps)).definition;
  }

  /**
   * Throws `POLICY_NOT_OWNED`, `POLICY_STATUS`, `EDIT_INVALID`, `EDIT_CONFLICT`, `EDIT_OUTDATED`, `EDIT_UNKNOWN`,
   * `IDEMPOTENCY_KEY_USED`.
   */
  async edit(caller: Caller, policyId: string, change: DraftChange, options: EditOptions = {}): Promise<EditOutcome> {
    const key = options.idempotencyKey === undefined ? undefined : hashOf([caller.did, options.idempotencyKey]);
    const request = key === undefined ? undefined : hashOf([change, options.ifMatch ?? null]);
    const keys = [revisionKeys.policy.of(policyId), revisionKeys.definition.of(policyId)];
    if (changesRecord(change)) keys.push(revisionKeys.policies.of());
    const { result } = await this.deps.executor.run(lanes.policy.of(policyId), keys, async (unit) => {
      const revision = unit.expected(revisionKeys.definition.of(policyId));
      const loaded = await this.#load(unit, policyId, revision);
      assertOwnedIn(['DRAFT'], loaded.record, 'edit', caller.did);
      const earlier = key === undefined ? undefined : await editWithKey(unit, policyId, key);
      if (earlier !== undefined) {
        if (earlier.request !== request) throw new BlockworkError('IDEMPOTENCY_KEY_USED', { facts: { policyId } });
        return { revision: Number(earlier.id), edit: earlier };
      }
      const undone = 'undo' in change ? await editNamed(unit, policyId, change.undo) : undefined;
      const since = await this.#since(unit, policyId, change, undone?.id ?? options.ifMatch, revision);
      const edited = await this.#apply(policyId, loaded, change, undone, since);
      if (edited.applied.length === 0) return { revision, edit: null };
      await this.#store(unit, loaded, edited.definition);
      const cause = { type: 'lifecycle', action: 'edit', did: caller.did, definition: revision + 1 } as const;
      const own = unit.expected(revisionKeys.policy.of(policyId));
      unit.put('journal', policyId, journalEntry(cause, own, this.deps.clock));
      const edit = this.#edit(caller, revision, edited, { undone, key, request });
      return { revision: revision + 1, edit: await addToHistory(unit, policyId, edit, this.deps.limits) };
    });
    return result;
  }

  #edit(
    { did }: Caller,
    revision: number,
    { applied, inverse }: Edited,
    {
      undone,
      key,
      request,
    }: { undone?: PolicyEdit | undefined; key?: string | undefined; request?: string | undefined },
  ): NewEdit {
    return {
      id: revisionId(revision + 1),
      base: revisionId(revision),
      at: isoNow(this.deps.clock),
      did,
      operations: applied.map(({ operation }) => operation),
      inverse: [...inverse],
      writes: [...new Set(applied.flatMap(({ writes }) => writes))],
      ...(undone !== undefined && { undoes: undone.id }),
      ...(key !== undefined && { key }),
      ...(request !== undefined && { request }),
    };
  }

  /** The edits by which the draft differs from what the author saw. Throws `EDIT_OUTDATED`. */
  async #since(
    unit: UnitOfWork,
    policyId: string,
    change: DraftChange,
    revisionSeen: number | string | undefined,
    revision: number,
  ): Promise<readonly PolicyEdit[]> {
    if (revisionSeen === undefined) return [];
    const edits = await editsBetween(unit, policyId, revisionId(Number(revisionSeen)), revisionId(revision));
    // A whole definition would revert what others have changed since.
    if (edits !== null && (edits.length === 0 || !('definition' in change))) return edits;
    throw outdated(policyId, Number(revisionSeen), revision, edits);
  }

  async #apply(
    policyId: string,
    { definition }: Loaded,
    change: DraftChange,
    undone: PolicyEdit | undefined,
    since: readonly PolicyEdit[],
  ): Promise<Edited> {
    const share = new LoopShare(this.deps.clock);
    const context = this.#context(policyId);
    const operations = undone?.inverse ?? (await share.carryOut(this.#operations(definition, change, context)));
    const base = since[0]?.base ?? '';
    let edited: Edited;
    try {
      edited = await share.carryOut(applyingEdits(definition, operations, context));
    } catch (error) {
      if (since.length === 0 || !isBlockworkError(error, 'EDIT_INVALID')) throw error;
      const reason = `it cannot be applied any more (${String(error.facts['reason'])})`;
      const { details } = error;
      throw new BlockworkError('EDIT_CONFLICT', {
        facts: { policyId, base: Number(base), reason },
        details,
        cause: error,
      });
    }
    assertApart(policyId, base, definition, edited.applied, since);
    return edited;
  }

  *#operations(before: PolicyDefinition, change: DraftChange, context: EditContext): Steps<readonly EditOperation[]> {
    if ('operations' in change) return readOperations(change.operations, context);
    return 'definition' in change ? yield* differences(before, change.definition) : [];
  }

  async #load(records: RecordReader, policyId: string, revision: number): Promise<Loaded> {
    const [record, configuration, schemas, tokens] = await Promise.all([
      records.get('policy', INSTANCE, policyId),
      records.get('configuration', policyId, policyId),
      records.find('schema', policyId),
      records.find('token', policyId),
    ]);
    if (record === undefined || configuration === undefined) {
      throw new BlockworkError('POLICY_UNKNOWN', { facts: { policyId } });
    }
    const definition = definitionOf({ record, config: configuration.config, schemas, tokens });
    return { revision, record, configuration, definition };
  }

  /** Writes what has changed. Throws `EDIT_INVALID`. */
  async #store(
    unit: UnitOfWork,
    { record, configuration, definition: before }: Loaded,
    after: PolicyDefinition,
  ): Promise<void> {
    const { id } = record;
    if (after.config !== before.config) unit.put('configuration', id, { ...configuration, config: after.config });
    const share = new LoopShare(this.deps.clock);
    const facts = editedFacts.filter((fact) => !sameJson(after[fact], before[fact]));
    if (facts.length > 0) {
      const changed = { ...record, ...Object.fromEntries(facts.map((fact) => [fact, after[fact]])) };
      await this.#assertFacts(unit, record, changed);
      unit.put('policy', INSTANCE, changed);
    }
    for (const kind of ['schema', 'token'] as const) {
      const part = `${kind}s` as const;
      if (after[part] === before[part]) continue;
      const old = new Map<string, unknown>(
        recordsOf(before, this.deps.fileLimits)[part].map((each) => [each.id, each]),
      );
      for (const each of recordsOf(after, this.deps.fileLimits)[part]) {
        await share.giveWay();
        if (!sameJson(old.get(each.id), each)) unit.put(kind, id, each);
        old.delete(each.id);
      }
      for (const gone of old.keys()) unit.delete(kind, id, gone);
    }
  }

  async #assertFacts(unit: UnitOfWork, before: StoredPolicy, after: StoredPolicy): Promise<void> {
    const { aboutBytes } = this.deps.fileLimits;
    const facts = Object.fromEntries(editedFacts.map((fact) => [fact, after[fact]]));
    const refuse = (reason: string): never => {
      throw new BlockworkError('EDIT_INVALID', { facts: { policyId: before.id, reason } });
    };
    if (jsonBytes(facts) > aboutBytes) {
      refuse(`what it says beside its blocks would exceed the limit of ${String(aboutBytes)} bytes`);
    }
    const isTaken =
      after.name !== before.name && (await unit.count('policy', INSTANCE, equalTo('name', after.name))) > 0;
    if (isTaken) refuse(`another policy is called "${after.name}"`);
  }

  #context(policyId: string): EditContext {
    return { policyId, ids: this.deps.ids, limits: this.deps.fileLimits };
  }
}

/** Whether it may change the record of the policy, which lists of policies hold. */
function changesRecord(change: DraftChange): boolean {
  if (!('operations' in change) || !Array.isArray(change.operations)) return true;
  return change.operations.some(
    (operation: unknown) =>
      isObject(operation) &&
      ('list' in operation ? !ofFiles.includes(operation['list']) : recordOperations.includes(operation['op'])),
  );
}

const ofFiles: readonly unknown[] = ['schemas', 'tokens'];
/** The navigation names tags. */
const recordOperations: readonly unknown[] = ['setText', 'renameTag'];

/** The operations that lead from one definition to another, part by part. */
function* differences(before: PolicyDefinition, after: PolicyDefinition): Steps<EditOperation[]> {
  const operations: EditOperation[] = [];
  for (const name of ['name', 'description', 'topicDescription'] as const) {
    if (after[name] !== before[name]) operations.push({ op: 'setText', name, value: after[name] });
  }
  for (const list of editedLists) {
    yield;
    const value: readonly unknown[] = after[list];
    if (JSON.stringify(value) !== JSON.stringify(before[list]))
      operations.push({ op: 'replaceList', list, value: [...value] });
  }
  const config = JSON.stringify(after.config);
  yield;
  if (config !== JSON.stringify(before.config)) {
    operations.push({ op: 'replaceBlock', block: before.config.id, value: after.config });
  }
  return operations;
}

function outdated(
  policyId: string,
  base: number,
  revision: number,
  edits: readonly PolicyEdit[] | null,
): BlockworkError {
  const places = [
    ...new Set((edits ?? []).flatMap(({ writes, did, at }) => writes.map((path) => ({ path, did, at })))),
  ];
  const authors = [...new Set(places.map(({ did }) => did))].join(', ');
  const reason = edits === null ? 'its history does not reach back to what was changed since' : `${authors} edited it`;
  const details = places.map(({ path, did, at }) => ({ path, message: `changed by ${did} at ${at}` }));
  return new BlockworkError('EDIT_OUTDATED', { facts: { policyId, base, revision, reason }, details });
}

const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('base64url');
