/** What a dry run has done so far: its transactions, its documents, and its files. */
import type { LedgerEffect, LedgerMessage } from '@blockwork/core';
import { page, type SandboxCall, type SandboxReply, type SandboxRoute } from '../../requests/endpoint.js';
import type { RouteDeps } from '../route-deps.js';
import { trialOf } from './own-trial.js';

export function trialDataRoutes(deps: RouteDeps): SandboxRoute[] {
  const { engine } = deps;
  const get = (what: string, handle: (call: SandboxCall) => Promise<SandboxReply>): SandboxRoute => ({
    ...{ method: 'GET', path: `/policies/{policyId}/dry-run/${what}`, handle },
  });
  return [
    get('transactions', async (call) => {
      const { policyId } = await trialOf(deps, call);
      const { total } = await engine.program.ledger.listEffects(policyId, { limit: 1 });
      const { first, size } = rangeOf(call);
      // Newest first.
      const offset = Math.max(0, total - first - size);
      const limit = Math.max(0, total - first - offset);
      const { items } =
        limit === 0 ? { items: [] } : await engine.program.ledger.listEffects(policyId, { offset, limit });
      return { status: 200, body: items.map((effect) => transaction(policyId, effect)).reverse(), total };
    }),
    get('artifacts', async (call) => {
      const { policyId, owner } = await trialOf(deps, call);
      const { first: offset, size: limit } = rangeOf(call);
      const { items, total } = await engine.documents.list(owner, policyId, { from: 'newest', offset, limit });
      const rows = items.map((document) => ({
        ...{ ...document, _id: document.id, dryRunId: policyId, documentType: classes[document.dataType] ?? 'VC' },
        dryRunClass: `${classes[document.dataType] ?? 'VC'}DocumentCollection`,
      }));
      return { status: 200, body: rows, total };
    }),
    get('ipfs', async (call) => {
      const { policyId } = await trialOf(deps, call);
      const files = (await engine.program.ledger.listMessages(policyId)).filter(({ hash }) => hash !== '').reverse();
      return page(
        files.map((message) => file(policyId, message)),
        call.query,
      );
    }),
  ];
}

const classes: Readonly<Record<string, string>> = { 'vp-documents': 'VP', 'did-documents': 'DID' };

function rangeOf({ query }: SandboxCall): { first: number; size: number } {
  const whole = (name: string, byDefault: number): number => {
    const text = query.get(name) ?? '';
    return /^\d{1,6}$/.test(text) ? Number(text) : byDefault;
  };
  const size = Math.min(1_000, Math.max(1, whole('pageSize', 100)));
  return { first: whole('pageIndex', 0) * size, size };
}

const transaction = (
  policyId: string,
  { id, at, type, accountId, topicId, body: _body, ...effect }: LedgerEffect,
): object => ({
  ...{ _id: id, id, dryRunId: policyId, dryRunClass: 'Transactions', createDate: at, type },
  ...{ hederaAccountId: accountId ?? null, topicId: topicId ?? null, hash: effect.messageId ?? null, document: effect },
});

const file = (policyId: string, { id, hash, type, owner, body }: LedgerMessage): object => ({
  ...{ _id: id, id, dryRunId: policyId, dryRunClass: 'Files', createDate: dateOf(id), owner, type },
  ...{ documentURL: hash, document: body, size: Buffer.byteLength(JSON.stringify(body)) },
});

/** A message is named by its consensus time. */
const dateOf = (messageId: string): string => new Date(Number(messageId) * 1000).toISOString();
