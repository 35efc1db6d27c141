/** The state of a policy as a scenario checks it: documents by type and status, mints, active steps of users. */
import { INSTANCE } from '@blockwork/core/records';
import type { PolicyBench } from '@blockwork/testing';
import type { Complain } from './answer-expectations.js';
import { sameValue } from './answer-expectations.js';
import type { Expectation, MintedExpectation } from './script.js';

export interface WorldView {
  /** Credentials by `type|status`. */
  readonly vc: Readonly<Record<string, number>>;
  /** Presentations by type. */
  readonly vp: Readonly<Record<string, number>>;
  readonly minted: readonly Required<MintedExpectation>[];
}

export async function worldView(bench: PolicyBench): Promise<WorldView> {
  const { store, policyId } = await bench.open();
  const [documents, schemas, tokens] = await Promise.all([
    store.find('document', policyId),
    store.find('schema', policyId),
    bench.mintedTokens(),
  ]);
  const names = new Map(schemas.map(({ id, name }) => [id, name]));
  const typeOf = (type = '-'): string => (type.startsWith('#') ? (names.get(type) ?? type) : type);
  const [vc, vp]: Record<string, number>[] = [{}, {}];
  for (const { dataType, type, option } of documents) {
    if (dataType === 'vp-documents') add(vp, typeOf(type));
    if (dataType !== 'vc-documents') continue;
    const status = option['status'] ?? option['status2'] ?? '-';
    add(vc, `${typeOf(type)}|${typeof status === 'string' ? status : JSON.stringify(status)}`);
  }
  const minted = [...tokens].map(([tokenId, { mints, units, amounts, accounts }]) => ({
    tokenId,
    mints,
    units: Number(units),
    amounts: [...amounts],
    accounts: Object.fromEntries(Object.entries(accounts).map(([account, balance]) => [account, Number(balance)])),
  }));
  return { vc: vc ?? {}, vp: vp ?? {}, minted };
}

function add(tally: Record<string, number> | undefined, key: string): void {
  if (tally !== undefined) tally[key] = (tally[key] ?? 0) + 1;
}

/** Names that the expectation omits are not checked. */
export function checkWorld(view: WorldView, expected: NonNullable<Expectation['world']>, complain: Complain): void {
  for (const part of ['vc', 'vp'] as const) {
    for (const [key, wanted] of Object.entries(expected[part] ?? {})) {
      const got = view[part][key] ?? 0;
      if (got !== wanted) complain(`world/${part}/${key}`, wanted, { got, all: view[part] });
    }
  }
  for (const { tokenId, ...wanted } of expected.minted ?? []) {
    const nothing = { mints: 0, units: 0, amounts: [], accounts: {} };
    const got: Omit<MintedExpectation, 'tokenId'> = view.minted.find((each) => each.tokenId === tokenId) ?? nothing;
    for (const key of ['mints', 'units', 'amounts', 'accounts'] as const) {
      if (wanted[key] === undefined || sameValue(wanted[key], got[key])) continue;
      complain(`world/minted/${tokenId}/${key}`, wanted[key], got[key]);
    }
  }
}

/** The tag of the active child of a step block for a user; `undefined` if the block is not a step. */
export async function activeStep(bench: PolicyBench, user: string, stepTag: string): Promise<string | undefined> {
  const { store, policyId } = await bench.open();
  const { did } = bench.as(user);
  const memberships = await store.find('membership', policyId, { where: { path: 'did', op: 'eq', value: did } });
  const group = memberships.find(({ active }) => active)?.uuid;
  const key = group === undefined ? did : `${group}:${did}`;
  const states = await store.find('block-state', policyId, { where: { path: 'user', op: 'eq', value: key } });
  const value = states.find(({ tag }) => tag === stepTag)?.value as { index?: number } | undefined;
  const step = (await bench.blocks()).find(({ tag }) => tag === stepTag);
  return step?.children[value?.index ?? 0]?.tag;
}

/** The policy's revision, which moves with every change. */
export async function revisionOf(bench: PolicyBench): Promise<string> {
  const { store, policyId } = await bench.open();
  const record = await store.get('policy', INSTANCE, policyId);
  return JSON.stringify([await store.revision(policyId), record?.status]);
}
