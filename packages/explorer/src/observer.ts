/** Collects the observations of an exploration across all walks. */
import type { DocumentRecord, JournalEntry, JsonObject, LedgerEffect } from '@blockwork/core';
import { amountOf, isObject, valueAt } from '@blockwork/core/block';
import { BlockCoverage } from './coverage.js';
import { DocumentTracks, statusOf } from './document-tracks.js';
import type { MintedBy } from './exploration.js';
import { Incidents } from './incidents.js';
import type { CheckedInvariant, Deed, InvariantView } from './invariants.js';
import type { Move } from './move.js';
import type { Outcome, PolicyWorld } from './world/policy-world.js';

/** A completed move. */
export interface MoveMade {
  /** The moves of this walk, this one included. */
  readonly path: readonly Move[];
  /** The role in which it was made. */
  readonly who: string;
  readonly row?: JsonObject | undefined;
}

export interface BrokenInvariant {
  readonly reason: string;
  readonly path: readonly Move[];
}

export interface SeenDoubleMint extends DoubleMint {
  times: number;
  path: readonly Move[];
}

export class Observer {
  readonly coverage = new BlockCoverage();
  readonly documents = new DocumentTracks();
  readonly incidents = new Incidents();
  readonly minting = new Minting();
  readonly doubleMints = new Map<string, SeenDoubleMint>();
  readonly broken = new Map<string, BrokenInvariant>();
  /** By status in lower case, the documents of this walk that came to it. */
  #byStatus = new Map<string, Map<string, DocumentRecord>>();

  constructor(private readonly invariants: readonly CheckedInvariant[]) {}

  startWalk(): void {
    this.documents.startWalk();
    this.minting.startWalk();
    this.#byStatus = new Map();
  }

  /** Resolves with the documents that were added or changed. */
  async learn(world: PolicyWorld, outcome: Outcome, { path, who, row }: MoveMade): Promise<DocumentRecord[]> {
    const move = path.at(-1);
    if (move === undefined) return [];
    const { refusal, units } = outcome;
    if (refusal !== null) this.#refused(refusal, who, path, row);
    else this.#accepted(world, move, who, row);
    const statuses: string[] = [];
    const stored: DocumentRecord[] = [];
    const before = this.minting.mints();
    for (const unit of units) {
      const documents = await storedBy(world, unit);
      stored.push(...documents);
      statuses.push(...(await this.#learnUnit(world, unit, documents, who, path)));
    }
    const mints = this.minting.mints() - before;
    this.#check({ by: who, block: move.block, choice: move.choice ?? '', statuses, mints }, path);
    return stored;
  }

  #refused(
    refusal: NonNullable<Outcome['refusal']>,
    who: string,
    path: readonly Move[],
    row: JsonObject | undefined,
  ): void {
    const { code, status, message, block } = refusal;
    if (row !== undefined) this.documents.refused(row);
    this.incidents.meet({ kind: status >= 500 ? 'internal' : 'refusal', code, block }, message, who, path);
  }

  #accepted(world: PolicyWorld, move: Move, who: string, row: JsonObject | undefined): void {
    const node = world.block(move.block);
    if (node !== undefined && world.players.has(move.user)) this.coverage.used(node, who);
    if (typeof row?.['id'] === 'string') this.documents.moved(row['id']);
  }

  /** Resolves with the statuses that documents reached. */
  async #learnUnit(
    world: PolicyWorld,
    unit: JournalEntry,
    documents: readonly DocumentRecord[],
    who: string,
    path: readonly Move[],
  ): Promise<string[]> {
    this.coverage.ran(unit, world);
    for (const { tag, code, message } of unit.warnings) {
      this.incidents.meet({ kind: isFault(code) ? 'internal' : 'failure', code, block: tag }, message, who, path);
    }
    const isEntered = unit.cause.type === 'send' || unit.cause.type === 'external';
    for (const document of documents) this.documents.stored(document, path, isEntered);
    for (const double of await this.minting.learn(world, unit, documents, who)) this.#mintedTwice(double, path);
    return documents.flatMap((document) => this.#cameTo(document));
  }

  /** The status, if the document has not had it before. */
  #cameTo(document: DocumentRecord): string[] {
    const status = statusOf(document);
    const key = status.toLowerCase();
    const documents = this.#byStatus.get(key) ?? new Map<string, DocumentRecord>();
    this.#byStatus.set(key, documents);
    const isNew = !documents.has(document.id);
    documents.set(document.id, document);
    return isNew && status !== '-' ? [status] : [];
  }

  #mintedTwice(double: DoubleMint, path: readonly Move[]): void {
    const key = JSON.stringify([double.token, double.blocks]);
    const doubleMint = this.doubleMints.get(key);
    if (doubleMint === undefined) this.doubleMints.set(key, { ...double, times: 1, path: [...path] });
    else {
      doubleMint.times += 1;
      if (path.length < doubleMint.path.length) doubleMint.path = [...path];
    }
  }

  #check(deed: Deed, path: readonly Move[]): void {
    if (this.invariants.length === 0) return;
    const view = this.#view(deed);
    for (const { name, check } of this.invariants) {
      const broken = this.broken.get(name);
      if (broken !== undefined && broken.path.length <= path.length) continue;
      const reason = check(view);
      if (reason !== null) this.broken.set(name, { reason, path: [...path] });
    }
  }

  #view(deed: Deed): InvariantView {
    return {
      deed,
      minted: (token) => this.minting.amount(token),
      mints: (token) => this.minting.mints(token),
      reached: (status, type) =>
        [...(this.#byStatus.get(status.toLowerCase())?.values() ?? [])].filter(
          (document) => document.dataType === 'vc-documents' && (type === undefined || document.type === type),
        ),
    };
  }
}

/** A failure without a specific error code is a fault of the block, not of the policy. */
const isFault = (code: string): boolean => code === 'INTERNAL';

async function storedBy(
  world: PolicyWorld,
  { documents: { added, changed } }: JournalEntry,
): Promise<DocumentRecord[]> {
  const { store, policyId } = world.opened;
  const documents = await Promise.all([...added, ...changed].map((id) => store.get('document', policyId, id)));
  return documents.filter((document) => document !== undefined);
}

interface Sum {
  mints: number;
  units: bigint;
}

interface DoubleMint {
  readonly token: string;
  readonly blocks: readonly string[];
}

/** Mints of all walks. `startWalk` clears the credentials, which belong to a single run of the policy. */
class Minting {
  readonly #sums = new Map<string, { readonly token: string; readonly by: string; readonly sum: Sum }>();
  readonly #tokens = new Map<string, { readonly name: string; readonly decimals: number }>();
  #uses = new Map<string, string[]>();
  /** Units of this walk, by token. */
  #units = new Map<string, Sum>();

  startWalk(): void {
    this.#uses = new Map();
    this.#units = new Map();
  }

  /** Counts the mints of a unit. Resolves with the credentials that were already minted for. */
  async learn(
    world: PolicyWorld,
    unit: JournalEntry,
    documents: readonly DocumentRecord[],
    by: string,
  ): Promise<DoubleMint[]> {
    if (unit.effects.length === 0) return [];
    const { store, policyId } = world.opened;
    for (const id of unit.effects) {
      const effect = await store.get('ledger-effect', policyId, id);
      if (effect?.type === 'mint') await this.#count(world, effect, by);
    }
    return documents.filter(isMintEvidence).flatMap((document) => this.#usesOf(document));
  }

  /** Whole tokens minted in this walk, of one token, by name, symbol or id, or of all. */
  amount(name?: string): number {
    return this.#chosen(name).reduce(
      (sum, [id, { units }]) => sum + Number(amountOf(units, this.#tokens.get(id)?.decimals ?? 0)),
      0,
    );
  }

  mints(name?: string): number {
    return this.#chosen(name).reduce((sum, [, { mints }]) => sum + mints, 0);
  }

  report(): MintedBy[] {
    return [...this.#sums.values()].map(({ token, by, sum: { mints, units } }) => {
      const { name, decimals } = this.#tokens.get(token) ?? { name: token, decimals: 0 };
      return { token, name, by, mints, amount: amountOf(units, decimals) };
    });
  }

  #chosen(name: string | undefined): [string, Sum][] {
    return [...this.#units].filter(([id]) => name === undefined || id === name || this.#tokens.get(id)?.name === name);
  }

  async #count(world: PolicyWorld, { tokenId = '', units = '0' }: LedgerEffect, by: string): Promise<void> {
    if (!this.#tokens.has(tokenId)) {
      const { store, policyId } = world.opened;
      const token = await store.get('ledger-token', policyId, tokenId);
      this.#tokens.set(tokenId, { name: token?.tokenName ?? tokenId, decimals: token?.decimals ?? 0 });
    }
    const key = JSON.stringify([tokenId, by]);
    const entry = this.#sums.get(key) ?? { token: tokenId, by, sum: { mints: 0, units: 0n } };
    this.#sums.set(key, entry);
    const ofWalk = this.#units.get(tokenId) ?? { mints: 0, units: 0n };
    this.#units.set(tokenId, ofWalk);
    for (const sum of [entry.sum, ofWalk]) {
      sum.mints += 1;
      sum.units += BigInt(units);
    }
  }

  #usesOf({ document, tag }: DocumentRecord): DoubleMint[] {
    const credentials = credentialsIn(document);
    const token = credentials.map(tokenMinted).find((id) => id !== undefined) ?? '';
    const sources = credentials.filter((credential) => tokenMinted(credential) === undefined);
    const block = typeof tag === 'string' ? tag : '';
    return sources.flatMap(({ id }) => {
      if (typeof id !== 'string') return [];
      const key = JSON.stringify([token, id]);
      const blocks = [...(this.#uses.get(key) ?? []), block];
      this.#uses.set(key, blocks);
      return blocks.length > 1 ? [{ token: this.#tokens.get(token)?.name ?? token, blocks: [...new Set(blocks)] }] : [];
    });
  }
}

const isMintEvidence = ({ dataType, type }: DocumentRecord): boolean => dataType === 'vp-documents' && type === 'mint';

function credentialsIn(presentation: unknown): Record<string, unknown>[] {
  const credentials = valueAt(presentation, 'verifiableCredential');
  return (Array.isArray(credentials) ? credentials : [credentials]).filter(isObject);
}

const tokenMinted = (credential: unknown): string | undefined => {
  const subject = valueAt(credential, 'credentialSubject');
  const first: unknown = Array.isArray(subject) ? subject[0] : subject;
  return isObject(first) && first['type'] === 'MintToken' ? String(first['tokenId']) : undefined;
};
