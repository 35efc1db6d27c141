/** Records mints with their credentials and the roles that caused them. */
import type { DocumentRecord, JournalEntry, LedgerEffect } from '@blockwork/core';
import { amountOf, isObject, valueAt } from '@blockwork/core/block';
import type { MintedBy } from './exploration.js';
import type { PolicyWorld } from './world/policy-world.js';

interface Sum {
  mints: number;
  units: bigint;
}

export interface DoubleMint {
  readonly token: string;
  readonly blocks: readonly string[];
}

/** Mints of all walks. `startWalk` clears the credentials, which belong to a single run of the policy. */
export class Minting {
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
  const held = valueAt(presentation, 'verifiableCredential');
  return (Array.isArray(held) ? held : [held]).filter(isObject);
}

const tokenMinted = (credential: unknown): string | undefined => {
  const subject = valueAt(credential, 'credentialSubject');
  const first: unknown = Array.isArray(subject) ? subject[0] : subject;
  return isObject(first) && first['type'] === 'MintToken' ? String(first['tokenId']) : undefined;
};
