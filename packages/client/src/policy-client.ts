/** One policy: its definition, its life cycle, and its blocks. */
import type { AnswerOf, Contract } from '@blockwork/contract';
import { demandObject } from './api-error.js';
import { BlockClient } from './block-client.js';
import type { BlockName } from './block-client.js';
import { eventsOf } from './events.js';
import type { EventOptions, PolicyEvent } from './events.js';
import { pagesOf } from './pages.js';
import { PolicyRecords } from './policy-records.js';
import type { Transport } from './transport.js';
import type { CallArgs, CallOptions, RevisionOptions, RouteCalls, SendOptions, UntypedArgs } from './types.js';

type Answer<Name extends keyof Contract> = AnswerOf<Contract[Name], 200 & keyof Contract[Name]['answers']>;
type EditOperation = CallArgs<'checkPolicy'>['body']['operations'][number];

export class PolicyClient extends PolicyRecords {
  readonly #calls: RouteCalls;
  readonly #transport: Transport;

  constructor(calls: RouteCalls, transport: Transport, id: string) {
    super(calls, id);
    this.#calls = calls;
    this.#transport = transport;
  }

  /**
   * A block, by its tag or as `{ uuid }`.
   *
   * @example const notes = await policy.block('notes').read();
   */
  block(block: BlockName): BlockClient {
    return new BlockClient(this.#calls, this.id, block);
  }

  /**
   * The policy, with the caller's roles and groups in it.
   *
   * @example const { name, status, userRole } = await policy.get();
   */
  async get(options: CallOptions = {}): Promise<Answer<'getPolicy'>> {
    return (await this.#calls.getPolicy({ ...options, policyId: this.id })).data;
  }

  /**
   * The ids of its tokens.
   *
   * @example const tokens = await Promise.all((await policy.tokens()).map((tokenId) => policy.token(tokenId)));
   */
  async tokens(options: CallOptions = {}): Promise<Answer<'listTokens'>> {
    return (await this.#calls.listTokens({ ...options, policyId: this.id })).data;
  }

  /**
   * The policy as a `.policy` file. For its owner only.
   *
   * @example
   * const { name } = await policy.get();
   * await writeFile(`${name}.policy`, await policy.export());
   */
  async export(options: CallOptions = {}): Promise<Uint8Array> {
    return (await this.#calls.exportPolicyFile({ ...options, policyId: this.id })).data;
  }

  /**
   * All its versions, including itself: drafts of the next version first, then highest first.
   *
   * @example
   * const [latest] = await policy.versions();
   * const isOutdated = latest?.id !== policy.id;
   */
  async versions(options: CallOptions = {}): Promise<Answer<'listVersions'>> {
    return (await this.#calls.listVersions({ ...options, policyId: this.id })).data;
  }

  /**
   * Creates a draft of its next version, with the findings of the import. For its owner, once it is published.
   *
   * @example
   * const { policy: next } = await policy.nextVersion();
   * await client.policy(next.id).edit([{ op: 'setText', name: 'description', value: 'Meters of 2027' }]);
   */
  async nextVersion(options: CallOptions = {}): Promise<AnswerOf<Contract['makeNextVersion'], 201>> {
    return (await this.#calls.makeNextVersion({ ...options, policyId: this.id })).data;
  }

  /**
   * Its blocks as an OpenAPI document: all blocks for its owner, for others those for their roles.
   *
   * @example const { paths } = await policy.openApi();
   */
  async openApi(options: CallOptions = {}): Promise<Answer<'getPolicyOpenApi'>> {
    return (await this.#calls.getPolicyOpenApi({ ...options, policyId: this.id })).data;
  }

  /**
   * The findings for its author.
   *
   * @example const errors = (await policy.findings()).filter(({ severity }) => severity === 'error');
   */
  async findings(options: CallOptions = {}): Promise<Answer<'listFindings'>> {
    return (await this.#calls.listFindings({ ...options, policyId: this.id })).data;
  }

  /**
   * Its definition, as a policy file holds it, and the revision for `ifMatch`. For its owner only, like all edits.
   *
   * @example
   * const { definition, revision } = await policy.definition();
   * const operations = [{ op: 'setText', name: 'description', value: `Rules of ${definition.name}` }] as const;
   * await policy.edit(operations, { ifMatch: revision });
   */
  async definition(options: CallOptions = {}): Promise<{ definition: Answer<'getDefinition'>; revision: number }> {
    const { data, headers } = await this.#calls.getDefinition({ ...options, policyId: this.id });
    return { definition: data, revision: Number(headers.get('etag')?.replace(/\D+/g, '')) };
  }

  /**
   * Edits the draft: all operations, or none. With `ifMatch`, later edits by others are kept, unless they changed the same.
   * Retried under one idempotency key if there is no answer.
   *
   * @example
   * const title = { op: 'setOption', block: 'form', path: '/uiMetaData', value: { title: 'Meter reading' } } as const;
   * const { revision, edit } = await policy.edit([title]);
   */
  async edit(
    operations: readonly EditOperation[],
    options: SendOptions & RevisionOptions = {},
  ): Promise<Answer<'editPolicy'>> {
    const body = { operations: [...operations] };
    return (await this.#calls.editPolicy({ ...options, policyId: this.id, body })).data;
  }

  /**
   * Undoes one edit, by its id; later ones are kept.
   *
   * @example
   * const { edit } = await policy.edit([{ op: 'setText', name: 'description', value: 'Meters of 2027' }]);
   * if (edit !== null) await policy.undo(edit.id);
   */
  async undo(edit: string, options: SendOptions = {}): Promise<Answer<'editPolicy'>> {
    return (await this.#calls.editPolicy({ ...options, policyId: this.id, body: { undo: edit } })).data;
  }

  /**
   * Its edits, newest first.
   *
   * @example
   * const authors = new Set<string>();
   * for await (const { did } of policy.edits()) authors.add(did);
   */
  edits(options: CallOptions = {}): AsyncGenerator<Answer<'listEdits'>[number], void> {
    return pagesOf((query) => this.#calls.listEdits({ ...options, policyId: this.id, query }));
  }

  /**
   * The findings that it would have after these operations.
   *
   * @example
   * const findings = await policy.check([{ op: 'removeBlock', block: 'form' }]);
   * const isBroken = findings.some(({ severity }) => severity === 'error');
   */
  async check(operations: readonly EditOperation[], options: CallOptions = {}): Promise<Answer<'checkPolicy'>> {
    const body = { operations: [...operations] };
    return (await this.#calls.checkPolicy({ ...options, policyId: this.id, body })).data;
  }

  /**
   * Replaces the draft's `.policy` file and keeps its data. For its owner only, like all changes.
   *
   * @example const { findings } = await policy.replace(await readFile('certificates.policy'));
   */
  async replace(file: Uint8Array, options: CallOptions = {}): Promise<Answer<'replacePolicyFile'>> {
    return (await this.#calls.replacePolicyFile({ ...options, policyId: this.id, body: file })).data;
  }

  /**
   * Deletes the draft, and returns the number of deleted records.
   *
   * @example
   * const { status } = await policy.get();
   * if (status === 'DRAFT') await policy.delete();
   */
  async delete(options: CallOptions = {}): Promise<Answer<'deletePolicy'>> {
    return (await this.#calls.deletePolicy({ ...options, policyId: this.id })).data;
  }

  /**
   * Draft to trial. If errors prevent it, the result has `isValid: false`, as with `publish`.
   *
   * @example
   * const { isValid, findings } = await policy.dryRun();
   * if (!isValid) show(findings.map(({ message }) => message));
   */
  async dryRun(options: CallOptions = {}): Promise<Answer<'dryRunPolicy'>> {
    return (await this.#calls.dryRunPolicy({ ...options, policyId: this.id })).data;
  }

  /**
   * Trial to draft; the records of the trial are deleted.
   *
   * @example
   * await policy.draft();
   * await policy.edit([{ op: 'setText', name: 'description', value: 'Meters of 2027' }]);
   */
  async draft(options: CallOptions = {}): Promise<Answer<'draftPolicy'>> {
    return (await this.#calls.draftPolicy({ ...options, policyId: this.id })).data;
  }

  /**
   * Draft or trial to published, with a version above the previous one.
   *
   * @example
   * const { isValid, findings } = await policy.publish('1.0.0');
   * if (!isValid) show(findings.map(({ message }) => message));
   */
  async publish(policyVersion: string, options: CallOptions = {}): Promise<Answer<'publishPolicy'>> {
    return (await this.#calls.publishPolicy({ ...options, policyId: this.id, body: { policyVersion } })).data;
  }

  /**
   * Published to discontinued: now, or at an ISO 8601 moment in the future.
   *
   * @example await policy.discontinue('2027-12-31T23:59:59.000Z');
   */
  async discontinue(date?: string, options: CallOptions = {}): Promise<Answer<'discontinuePolicy'>> {
    const body = date === undefined ? {} : { date };
    return (await this.#calls.discontinuePolicy({ ...options, policyId: this.id, body })).data;
  }

  /**
   * Offers it to another instance, once it is published, and returns the request. Retried under one idempotency key if
   * there is no answer, so that it is offered once. For its owner only.
   *
   * @example
   * const { messageId } = await policy.offer({ to: 'north' });
   * const { data: request } = await client.routes.getRequest({ messageId });
   */
  async offer(
    offer: CallArgs<'offerPolicy'>['body'],
    options: SendOptions = {},
  ): Promise<AnswerOf<Contract['offerPolicy'], 201>> {
    return (await this.#calls.offerPolicy({ ...options, policyId: this.id, body: offer })).data;
  }

  /**
   * The navigation steps for the caller's role.
   *
   * @example const steps = await policy.navigation();
   */
  async navigation(options: CallOptions = {}): Promise<Answer<'getNavigation'>> {
    return (await this.#calls.getNavigation({ ...options, policyId: this.id })).data;
  }

  /**
   * Activates one of the caller's groups, or none; `false` if the policy has no groups.
   *
   * @example
   * const north = (await policy.groups()).find(({ groupLabel }) => groupLabel === 'North Solar');
   * const isSwitched = await policy.switchGroup(north?.uuid ?? null);
   */
  async switchGroup(uuid: string | null, options: CallOptions = {}): Promise<boolean> {
    return (await this.#calls.switchGroup({ ...options, policyId: this.id, body: { uuid } })).data;
  }

  /**
   * Its schemas and those of its tools, without their fields.
   *
   * @example const names = (await policy.schemas()).map(({ name }) => name);
   */
  async schemas(options: CallOptions = {}): Promise<Answer<'listSchemas'>> {
    return (await this.#calls.listSchemas({ ...options, policyId: this.id })).data;
  }

  /**
   * One schema with its fields.
   *
   * @example
   * const { document } = await policy.schema(schemaIri);
   * const fields = Object.keys(document?.['properties'] ?? {});
   */
  async schema(iri: string, options: CallOptions = {}): Promise<Answer<'getSchema'>> {
    return (await this.#calls.getSchema({ ...options, policyId: this.id, iri })).data;
  }

  /**
   * Compares it semantically with another policy. For the owner of both.
   *
   * @example
   * const [latest = policy] = await policy.versions();
   * const changes = await policy.changes(latest.id);
   */
  async changes(since: string, options: CallOptions = {}): Promise<Answer<'listChanges'>> {
    return (await this.#calls.listChanges({ ...options, policyId: this.id, query: { since } })).data;
  }

  /**
   * The caller's groups in it.
   *
   * @example const roles = (await policy.groups()).map(({ role }) => role);
   */
  async groups(options: CallOptions = {}): Promise<Answer<'listGroups'>> {
    return (await this.#calls.listGroups({ ...options, policyId: this.id })).data;
  }

  /**
   * Reads the root block, the entry point of a front end.
   *
   * @example const { blocks } = await policy.root<{ blocks: { id: string; blockType: string }[] }>();
   */
  async root<Root = unknown>(options: CallOptions = {}): Promise<Root> {
    return (await this.#calls.readRoot({ ...options, policyId: this.id })).data as Root;
  }

  /**
   * Live events: which blocks to read again. Reconnects automatically; the first event, `open`, comes once.
   *
   * @example
   * for await (const event of policy.events({ signal })) {
   *   if (event.type === 'unit') show(await policy.block('notes').read());
   * }
   */
  events(options: EventOptions = {}): AsyncGenerator<PolicyEvent, void> {
    demandObject(options, 'policy.events', 'options');
    // The type of arguments knows the parameters of each route; here the route is fixed.
    const args = { policyId: this.id } as UntypedArgs;
    return eventsOf(this.#transport, 'policyEvents', args, options);
  }
}
