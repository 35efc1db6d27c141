/** The embedding program's API: methods take no caller and check no permissions. */
import type { TimerQueue } from '../../background/index.js';
import type { CompiledPolicyCache, PolicyImporter } from '../../catalog/index.js';
import { publishedDocument } from '../../credentials/index.js';
import { demandCount, demandObject, demandText } from '../../options/index.js';
import type { PolicyTree } from '../../policy/index.js';
import {
  type ArtifactRecord,
  type DocumentInput,
  type DocumentRecord,
  INSTANCE,
  type JsonObject,
  type PolicyOrigin,
  type SchemaRecord,
} from '../../records/index.js';
import type { BlockTimers } from '../../runtime/index.js';
import type { Backlog, TelemetrySource } from '../../telemetry/index.js';
import type { RecordReader } from '../../transactions/index.js';
import type { WebhookDelivery } from '../../webhooks/index.js';
import type { DocumentImporter } from '../document-importer.js';
import type { EngineDeps } from '../engine-deps.js';
import { findPolicyTagged } from '../external-data.js';
import type { Gate } from '../gate.js';
import { isTokenRevoked } from '../people/revoked-tokens.js';
import type { BacklogCheck } from './backlog-check.js';
import { ProgramLedger } from './ledger.js';
import type { Readiness, ReadinessCheck } from './readiness.js';
import { ProgramRequests } from './requests.js';

/**
 * Available as `engine.program`. Never expose it to users; route their calls to the engine methods that take a caller.
 */
export class Program {
  readonly documents: ProgramDocuments;
  readonly ledger: ProgramLedger;
  readonly origins: ProgramOrigins;
  readonly requests: ProgramRequests;
  readonly schedule: ProgramSchedule;
  readonly webhooks: ProgramWebhooks;
  /** Attributes common to all of this engine's telemetry: see `channels`. */
  readonly telemetrySource: TelemetrySource;

  /** Resolves when the engine's `close` is called, for resources that should end with it. */
  readonly closed: Promise<void>;

  readonly #gate: Gate;
  readonly #records: RecordReader;
  readonly #readiness: ReadinessCheck;
  readonly #backlog: BacklogCheck;
  readonly #policies: CompiledPolicyCache;

  constructor(gate: Gate, deps: EngineDeps) {
    const { store, policies, documents, importer, requests, timerQueue, blockTimers, readiness } = deps;
    this.#gate = gate;
    this.closed = gate.closed;
    this.#records = store;
    this.#policies = policies;
    this.#readiness = readiness;
    this.#backlog = deps.backlog;
    this.telemetrySource = deps.source;
    this.documents = new ProgramDocuments(gate, documents);
    this.ledger = new ProgramLedger(gate, store, deps.ledgerOutbox);
    this.origins = new ProgramOrigins(gate, store, importer);
    this.requests = new ProgramRequests(gate, store, requests);
    this.schedule = new ProgramSchedule(gate, timerQueue, blockTimers);
    this.webhooks = new ProgramWebhooks(gate, deps.webhookDelivery);
  }

  /**
   * The DID document of an identity that signs here, has registered a key, or is a `did:key`, for verifying its
   * signatures; `undefined` for any other. Excludes revoked keys. DID documents are public. Throws `INPUT_INVALID`,
   * `ENGINE_CLOSED`.
   *
   * @example const document = await engine.program.getIdentityDocument(alice.did);
   */
  async getIdentityDocument(did: string): Promise<JsonObject | undefined> {
    this.#gate.assertOpen();
    demandText(did, 'program.getIdentityDocument', 'did');
    return publishedDocument(this.#records, did);
  }

  /**
   * The id of the policy with this tag, which external data may use instead. Throws `ENGINE_CLOSED`.
   *
   * @example const id = await engine.program.findPolicyTagged('Tag_1');
   */
  async findPolicyTagged(policyTag: string): Promise<string | undefined> {
    this.#gate.assertOpen();
    return findPolicyTagged(this.#records, policyTag);
  }

  /**
   * Whether the token with this `jti` was revoked, for transports that verify tokens. Throws `INPUT_INVALID`, `ENGINE_CLOSED`.
   *
   * @example const isRevoked = await engine.program.isTokenRevoked('jti-1');
   */
  async isTokenRevoked(tokenId: string): Promise<boolean> {
    this.#gate.assertOpen();
    demandText(tokenId, 'program.isTokenRevoked', 'tokenId');
    return isTokenRevoked(this.#records, tokenId);
  }

  /**
   * The backlog of this process, and of the store that others may share. Queries the store at most once a second.
   * Throws `STORE_UNAVAILABLE`, `ENGINE_CLOSED`.
   *
   * @example const { settlements } = await engine.program.getBacklog();
   */
  async getBacklog(): Promise<Backlog> {
    this.#gate.assertOpen();
    return this.#backlog.check();
  }

  /**
   * The schemas from a policy's file; empty for an unknown policy. Throws `ENGINE_CLOSED`.
   *
   * @example const schemas = await engine.program.listSchemas(policyId);
   */
  async listSchemas(policyId: string): Promise<SchemaRecord[]> {
    this.#gate.assertOpen();
    return this.#records.find('schema', policyId);
  }

  /**
   * The files from a policy's archive that its blocks use, without content; empty for an unknown policy. Throws `ENGINE_CLOSED`.
   *
   * @example const artifacts = await engine.program.listArtifacts(policyId);
   */
  async listArtifacts(policyId: string): Promise<Omit<ArtifactRecord, 'content'>[]> {
    this.#gate.assertOpen();
    const artifacts = await this.#records.find('artifact', policyId);
    return artifacts.map(({ content: _content, ...artifact }) => artifact);
  }

  /**
   * The compiled policy with its tools inlined: every block with its type, options and links. Shared and immutable.
   * Throws `POLICY_UNKNOWN`, `ENGINE_CLOSED`.
   *
   * @example const { root, byTag } = await engine.program.getPolicyTree(policyId);
   */
  async getPolicyTree(policyId: string): Promise<PolicyTree> {
    this.#gate.assertOpen();
    return (await this.#policies.open(policyId)).tree;
  }

  /**
   * Whether the store accepts writes now, the link's status, and stuck background work. Probes the store at most once a
   * second. Throws `ENGINE_CLOSED`.
   *
   * @example const { isReady } = await engine.program.getReadiness();
   */
  async getReadiness(): Promise<Readiness> {
    this.#gate.assertOpen();
    return this.#readiness.check();
  }
}

/** Documents that were not created by a block. */
export class ProgramDocuments {
  constructor(
    private readonly gate: Gate,
    private readonly importer: DocumentImporter,
  ) {}

  /**
   * Adds documents to a policy, atomically. Missing `id`, `createDate` and `dataType` are filled in; `dataType` is
   * derived from the document: a presentation, else a credential. Throws `POLICY_UNKNOWN`, `DOCUMENT_INVALID` (with the
   * position, from 0), `DOCUMENT_EXISTS`, `ENGINE_CLOSED`.
   *
   * @example const [added] = await engine.program.documents.add(policyId, [{ owner: owner.did, document: { value: 3 } }]);
   */
  async add(policyId: string, documents: readonly DocumentInput[]): Promise<DocumentRecord[]> {
    this.gate.assertOpen();
    return this.importer.add(policyId, documents);
  }
}

export class ProgramWebhooks {
  constructor(
    private readonly gate: Gate,
    /** `null` if webhooks are disabled. */
    private readonly delivery: WebhookDelivery | null,
  ) {}

  /**
   * Resolves when nothing is being sent and only events waiting for a retry are left. Throws `ENGINE_CLOSED`.
   *
   * @example await engine.program.webhooks.idle();
   */
  async idle(): Promise<void> {
    this.gate.assertOpen();
    await this.delivery?.idle();
  }
}

export class ProgramOrigins {
  constructor(
    private readonly gate: Gate,
    private readonly records: RecordReader,
    private readonly importer: PolicyImporter,
  ) {}

  /**
   * The policy imported with this `origin`, even if it no longer exists; `undefined` if there was none. Throws
   * `ENGINE_CLOSED`.
   *
   * @example const origin = await engine.program.origins.get('registry.policy');
   */
  async get(origin: string): Promise<PolicyOrigin | undefined> {
    this.gate.assertOpen();
    return this.records.get('policy-origin', INSTANCE, origin);
  }

  /**
   * Records or replaces the origin of an imported policy. Throws `INPUT_INVALID`, `ENGINE_CLOSED`.
   *
   * @example await engine.program.origins.note({ id: 'registry.policy', policyId, documents: 0 });
   */
  async note(origin: PolicyOrigin): Promise<void> {
    this.gate.assertOpen();
    demandObject(origin, 'program.origins.note', 'origin', 'id, policyId and documents');
    const { id, policyId, documents } = origin;
    demandText(id, 'program.origins.note', 'origin.id');
    demandText(policyId, 'program.origins.note', 'origin.policyId');
    demandCount(documents, 'program.origins.note', 'origin.documents');
    await this.importer.noteOrigin({ id, policyId, documents });
  }
}

export class ProgramSchedule {
  constructor(
    private readonly gate: Gate,
    private readonly timers: TimerQueue,
    private readonly blockTimers: BlockTimers,
  ) {}

  /**
   * When the next timer is due, in milliseconds since 1970; `null` without timers. Throws `ENGINE_CLOSED`.
   *
   * @example const due = await engine.program.schedule.getNextDue();
   */
  async getNextDue(): Promise<number | null> {
    this.gate.assertOpen();
    return this.timers.next();
  }

  /**
   * Runs all timers due by the engine's clock, once each. The engine does this by itself; tests call it after advancing
   * their clock. Throws `ENGINE_CLOSED`.
   *
   * @example await engine.program.schedule.runDue();
   */
  async runDue(): Promise<void> {
    this.gate.assertOpen();
    await this.timers.runDue();
  }

  /**
   * Runs one block's timer now, without changing its next due time. Throws `POLICY_UNKNOWN`, `BLOCK_UNKNOWN`,
   * `ENGINE_CLOSED`, and what the block throws.
   *
   * @example await engine.program.schedule.tick(policyId, 'daily');
   */
  async tick(policyId: string, tag: string): Promise<void> {
    this.gate.assertOpen();
    await this.blockTimers.tickNow(policyId, tag);
  }
}
