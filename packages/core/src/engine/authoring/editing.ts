/** Editing of drafts for callers, and findings about definitions that are not stored. */
import type { Caller } from '../../access/index.js';
import type { BlockRegistry, CompiledPolicyCache, PolicyImporter } from '../../catalog/index.js';
import {
  definitionOf,
  editNamed,
  recordsOf,
  type DraftEditor,
  type DraftFile,
  type DraftFiles,
  type DraftFileSummary,
  type EditOptions,
  type PolicyDefinition,
  type RevisedDefinition,
} from '../../editing/index.js';
import type { PolicyLifecycle } from '../../lifecycle/index.js';
import { BlockworkError } from '../../errors.js';
import { demandObject, demandOptions } from '../../options/index.js';
import { located, tokenFindings, type Finding, type PolicyFileLimits } from '../../policy/index.js';
import { isObject, type PolicyEdit, type PolicyRecord, type StoredPolicy } from '../../records/index.js';
import type { IdempotentSends } from '../../runtime/index.js';
import type { RecordReader } from '../../transactions/index.js';
import type { Gate } from '../gate.js';
import { blockCatalogue, type BlockTypeSummary } from './block-catalogue.js';
import type { PolicyTemplate } from './templates.js';
import { ownPolicy } from '../inspection/own-policy.js';
import { boundedRange, pageOf, type ListPage, type Range } from '../page.js';
import { Members } from '../people/members.js';
import type { PolicySight } from '../people/policy-sight.js';

export interface EditingDeps {
  readonly editor: DraftEditor;
  readonly draftFiles: DraftFiles;
  readonly lifecycle: Pick<PolicyLifecycle, 'findingsOf'>;
  readonly importer: Pick<PolicyImporter, 'add' | 'read'>;
  readonly policies: CompiledPolicyCache;
  readonly templates: () => Promise<readonly PolicyTemplate[]>;
  readonly idempotentSends: Pick<IdempotentSends, 'assertKey'>;
  readonly sight: PolicySight;
  readonly store: RecordReader;
  readonly registry: BlockRegistry;
  readonly policyFileLimits: PolicyFileLimits;
}

/** One edit, as its author sees it. */
export type DraftEdit = Omit<PolicyEdit, 'key' | 'request' | 'count' | 'bytes' | 'total'>;

/** The revision of the definition, and the edit; `null` if there was nothing to change. */
export interface EditAnswer {
  readonly revision: number;
  readonly edit: DraftEdit | null;
}

/**
 * Every method throws `PERMISSION_DENIED` (`POLICIES_POLICY_MANAGE`), `POLICY_UNKNOWN`, `POLICY_NOT_OWNED`,
 * `ENGINE_CLOSED`, unless it says otherwise. Only drafts can be edited: for any other status, `POLICY_STATUS`.
 */
export class Editing {
  constructor(
    private readonly gate: Gate,
    private readonly deps: EditingDeps,
  ) {}

  /**
   * The definition of one's own policy, whatever its status, and the revision for `ifMatch`. Throws the errors common to
   * all methods, such as `ENGINE_CLOSED`.
   *
   * @example const { revision, definition } = await engine.editing.read(owner, policyId);
   */
  async read(caller: Caller, policyId: string): Promise<RevisedDefinition> {
    await this.#own(caller, policyId);
    return this.deps.editor.read(policyId);
  }

  /**
   * Applies operations to a draft, all or none, in one unit of work. With `ifMatch`, edits that others made since that
   * revision are kept if they changed other things; if they changed the same, it throws `EDIT_CONFLICT` with both values,
   * and `EDIT_OUTDATED` if it is unknown what they changed. Data entered in the draft is kept. Throws `POLICY_STATUS`,
   * `EDIT_INVALID`, `POLICY_FILE_TOO_LARGE`, `INPUT_INVALID`, `IDEMPOTENCY_KEY_USED`, and the errors common to all methods, such as
   * `ENGINE_CLOSED`.
   *
   * @example
   * const operations = [{ op: 'setOption', block: 'form', path: '/uiMetaData', value: { title: 'Apply' } }];
   * const { revision } = await engine.editing.edit(owner, policyId, operations);
   */
  async edit(caller: Caller, policyId: string, operations: unknown, options: EditOptions = {}): Promise<EditAnswer> {
    return this.#change(caller, policyId, options, 'edit', { operations });
  }

  /**
   * Undoes one edit of the history, as a new edit, which can itself be undone. Throws `EDIT_UNKNOWN`,
   * `EDIT_CONFLICT` if later edits changed the same, and as `edit`.
   *
   * @example const { revision } = await engine.editing.undo(owner, policyId, editId);
   */
  async undo(
    caller: Caller,
    policyId: string,
    editId: string,
    options: Pick<EditOptions, 'idempotencyKey'> = {},
  ): Promise<EditAnswer> {
    return this.#change(caller, policyId, options, 'undo', { undo: editId });
  }

  /**
   * Replaces the whole definition: a JSON value as for `importPolicy`, of which what the definition has counts. Only the
   * parts that differ are changed, as one edit. With `ifMatch`, it throws `EDIT_OUTDATED` with what was changed if that is
   * not the present revision. Throws `POLICY_FILE_INVALID`, and as `edit`.
   *
   * @example const { edit } = await engine.editing.replace(owner, policyId, { name: 'Registry', config });
   */
  async replace(caller: Caller, policyId: string, source: unknown, options: EditOptions = {}): Promise<EditAnswer> {
    await this.#own(caller, policyId);
    demandOptions(options, 'editing.replace', 'options');
    const { about, config, schemas, tokens } = await this.deps.importer.read(source);
    const definition = definitionOf({ record: about, config, schemas, tokens });
    return this.#change(caller, policyId, options, 'replace', { definition });
  }

  /**
   * A page of the history of a draft, newest first: who changed what, and what undoes it. Throws `INPUT_INVALID`, and the
   * errors common to all methods, such as `ENGINE_CLOSED`.
   *
   * @example const { items } = await engine.editing.history(owner, policyId, { limit: 20 });
   */
  async history(caller: Caller, policyId: string, range: Range = {}): Promise<ListPage<DraftEdit>> {
    await this.#own(caller, policyId);
    demandOptions(range, 'editing.history', 'range');
    const order = { path: 'id', direction: 'desc' } as const;
    const { items, total } = await pageOf(this.deps.store, 'policy-edit', policyId, { order, ...boundedRange(range) });
    return { items: items.map(shown), total };
  }

  /**
   * One edit of the history. Throws `EDIT_UNKNOWN`, and the errors common to all methods, such as `ENGINE_CLOSED`.
   *
   * @example const { inverse } = await engine.editing.get(owner, policyId, editId);
   */
  async get(caller: Caller, policyId: string, editId: string): Promise<DraftEdit> {
    await this.#own(caller, policyId);
    return shown(await editNamed(this.deps.store, policyId, editId));
  }

  /**
   * The findings that one's own policy would have after these operations, of which nothing is stored. Throws
   * `EDIT_INVALID`, `POLICY_FILE_TOO_LARGE`, and the errors common to all methods, such as `ENGINE_CLOSED`.
   *
   * @example const findings = await engine.editing.check(owner, policyId, [{ op: 'removeBlock', block: 'form' }]);
   */
  async check(caller: Caller, policyId: string, operations: unknown): Promise<readonly Finding[]> {
    const { record, archived } = await this.#own(caller, policyId);
    const { editor } = this.deps;
    const { definition } = await editor.read(policyId);
    return this.#findings(record, await editor.preview(policyId, definition, operations), archived);
  }

  /**
   * The findings of a definition that is not stored: a `.policy` archive, or a JSON value as for `importPolicy`. Throws
   * `PERMISSION_DENIED` (`POLICIES_POLICY_CREATE`), `POLICY_FILE_INVALID`, `POLICY_FILE_TOO_LARGE`, `POLICY_INVALID`,
   * `ENGINE_CLOSED`.
   *
   * @example const findings = await engine.editing.checkDefinition(owner, { name: 'Registry', config });
   */
  async checkDefinition(caller: Caller, source: unknown): Promise<readonly Finding[]> {
    this.gate.admit(caller, 'POLICIES_POLICY_CREATE');
    const bundle = await this.deps.importer.read(source);
    const { name, policyRoles } = bundle.about;
    const record = { id: name, name, owner: caller.did, status: 'DRAFT', policyRoles } as Partial<StoredPolicy>;
    const own = await this.deps.lifecycle.findingsOf(record as StoredPolicy, bundle);
    return located([...bundle.findings, ...own], bundle.text);
  }

  /**
   * Adds files to a draft, all or none: scripts and tables, which its blocks name by the ids that they get. This is no edit of
   * the history. Throws `POLICY_STATUS`, `INPUT_INVALID`, `POLICY_FILE_TOO_LARGE`, and the errors common to all methods, such as
   * `ENGINE_CLOSED`.
   *
   * @example
   * const content = new TextEncoder().encode('{"EU": 0.25}');
   * const [table] = await engine.editing.addFiles(owner, policyId, [{ name: 'factors', extension: 'json', content }]);
   */
  async addFiles(caller: Caller, policyId: string, files: readonly DraftFile[]): Promise<DraftFileSummary[]> {
    await this.#own(caller, policyId);
    const isFile = ({ name, extension, content }: Partial<DraftFile>): boolean =>
      typeof name === 'string' && typeof extension === 'string' && content instanceof Uint8Array;
    if (!Array.isArray(files) || !files.every((file: unknown) => isObject(file) && isFile(file))) {
      throw new BlockworkError('INPUT_INVALID', {
        facts: { reason: 'A file needs a name, an extension and content.' },
      });
    }
    return this.deps.sight.forOwner(caller, policyId, () => this.deps.draftFiles.add(caller, policyId, files));
  }

  /**
   * Removes a file from a draft; blocks that name it have a finding then. Throws `POLICY_STATUS`, `EDIT_INVALID` for a file that
   * it does not have, and the errors common to all methods, such as `ENGINE_CLOSED`.
   *
   * @example await engine.editing.removeFile(owner, policyId, fileId);
   */
  async removeFile(caller: Caller, policyId: string, fileId: string): Promise<void> {
    await this.#own(caller, policyId);
    return this.deps.sight.forOwner(caller, policyId, () => this.deps.draftFiles.remove(caller, policyId, fileId));
  }

  /**
   * What new policies can begin as. Throws `PERMISSION_DENIED` (`POLICIES_POLICY_CREATE`), `ENGINE_CLOSED`.
   *
   * @example const names = (await engine.editing.templates(owner)).map(({ name }) => name);
   */
  async templates(caller: Caller): Promise<readonly Omit<PolicyTemplate, 'policy'>[]> {
    this.gate.admit(caller, 'POLICIES_POLICY_CREATE');
    return (await this.deps.templates()).map(({ name, title, description }) => ({ name, title, description }));
  }

  /**
   * Creates a draft of the caller's from a template, `empty` by default. Throws `PERMISSION_DENIED`
   * (`POLICIES_POLICY_CREATE`), `INPUT_INVALID`, `TEMPLATE_UNKNOWN`, `POLICY_FILE_INVALID`, `POLICY_FILE_TOO_LARGE`,
   * `ENGINE_CLOSED`.
   *
   * @example const { policy } = await engine.editing.create(owner, { name: 'Registry', template: 'empty' });
   */
  async create(
    caller: Caller,
    input: { readonly name: string; readonly template?: string | undefined },
  ): Promise<{ policy: PolicyRecord; findings: readonly Finding[] }> {
    this.gate.admit(caller, 'POLICIES_POLICY_CREATE');
    demandObject(input, 'editing.create', 'input', '"name"');
    const { importer, store, policies, templates } = this.deps;
    const { name, template = 'empty' } = input;
    if (typeof name !== 'string' || name.trim() === '') {
      throw new BlockworkError('INPUT_INVALID', { facts: { reason: 'A policy needs a name.' } });
    }
    const chosen = (await templates()).find((each) => each.name === template);
    if (chosen === undefined) throw new BlockworkError('TEMPLATE_UNKNOWN', { facts: { template } });
    const { record, findings } = await importer.add({ ...chosen.policy, name }, caller.did);
    const { tree } = await policies.open(record.id);
    return { policy: await new Members(store).asSeen(caller, record), findings: [...findings, ...tree.findings] };
  }

  /**
   * Every block type that the engine knows, for editors. Throws `PERMISSION_DENIED` (`POLICIES_POLICY_READ`),
   * `ENGINE_CLOSED`.
   *
   * @example const types = await engine.editing.blockTypes(owner);
   */
  blockTypes(caller: Caller): Promise<readonly BlockTypeSummary[]> {
    this.gate.admit(caller, 'POLICIES_POLICY_READ');
    return Promise.resolve(blockCatalogue(this.deps.registry));
  }

  async #change(
    caller: Caller,
    policyId: string,
    options: EditOptions,
    method: string,
    change: Parameters<DraftEditor['edit']>[2],
  ): Promise<EditAnswer> {
    this.gate.admit(caller, 'POLICIES_POLICY_MANAGE');
    demandOptions(options, `editing.${method}`, 'options');
    this.deps.idempotentSends.assertKey(options.idempotencyKey);
    const { editor, sight } = this.deps;
    const run = () => editor.edit(caller, policyId, change, options);
    const { revision, edit } = await sight.forOwner(caller, policyId, run);
    return { revision, edit: edit === null ? null : shown(edit) };
  }

  #own(caller: Caller, policyId: string): ReturnType<typeof ownPolicy> {
    return ownPolicy(this.gate, this.deps.sight, caller, policyId);
  }

  async #findings(record: StoredPolicy, definition: PolicyDefinition, archived: boolean): Promise<Finding[]> {
    const { config, ...about } = definition;
    const { schemas, tokens } = recordsOf(definition, this.deps.policyFileLimits);
    const own = await this.deps.lifecycle.findingsOf(record, { about, archived, config, schemas, tokens });
    return [...own, ...tokenFindings(tokens)];
  }
}

const shown = ({ id, base, at, did, operations, inverse, writes, undoes }: PolicyEdit): DraftEdit => ({
  id,
  base,
  at,
  did,
  operations,
  inverse,
  writes,
  ...(undoes !== undefined && { undoes }),
});
