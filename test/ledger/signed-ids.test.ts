/** What is signed names the ids that the external ledger gives, or is not signed yet. */
import { createEngine, MemoryLedger, MemoryStore, type LedgerIds, type PolicyEngine } from '@blockwork/core';
import { defineBlock } from '@blockwork/core/block';
import { verifyBundle } from '@blockwork/verify';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { provenMint, registry } from '../support/proven-mint.js';

type Effect = Parameters<MemoryLedger['settle']>[0];

/** Gives every token and message an id of its own. */
class NamingLedger extends MemoryLedger {
  isAway = false;
  readonly given = new Map<string, string>();
  /** What it was asked for the ids of. */
  readonly asked: string[] = [];
  readonly ids: LedgerIds = {
    idOf: (_, of, local) => {
      this.asked.push(of);
      return Promise.resolve(this.given.get(`${of}/${local}`));
    },
  };

  override async settle(effect: Effect): Promise<void> {
    if (this.isAway) throw new Error('The ledger is away.');
    await super.settle(effect);
    const { type, tokenId, messageId } = effect;
    if (type === 'create-token') this.given.set(`token/${tokenId ?? ''}`, `0.0.9${String(this.given.size)}`);
    if (type === 'message')
      this.given.set(`message/${messageId ?? ''}`, `9${String(this.given.size).padStart(9, '0')}.000000001`);
  }

  /** The names of the book for which there are others. */
  get locals(): string[] {
    return [...this.given.keys()].map((key) => key.replace(/^\w+\//, ''));
  }
}

const engines: PolicyEngine[] = [];
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
});

const subjectsIn = (document: object): Record<string, unknown>[] =>
  (document as { verifiableCredential: { credentialSubject: Record<string, unknown>[] }[] }).verifiableCredential.map(
    ({ credentialSubject: [subject = {}] }) => subject,
  );

it('the credential of a mint names the token of the ledger, and a verifier can tell which that is', async () => {
  const ledger = new NamingLedger();
  const { engine, mint, report: ofReport } = await provenMint(undefined, { ledger });
  engines.push(engine);
  const [token] = mint.tokens;
  expect(token?.ledgerId).toBe(ledger.given.get(`token/${token?.id ?? ''}`));
  const presentation = mint.documents.find(({ id }) => id === mint.about.documentId)?.document ?? {};
  expect(subjectsIn(presentation).at(-1)).toMatchObject({ type: 'MintToken', tokenId: token?.ledgerId });
  // It has the sources themselves, so that it need not wait for the ids of their messages: only bundles ask for these.
  const asked = ledger.asked.filter((of) => of === 'message').length;
  expect(asked).toBe(mint.messages.length + ofReport.messages.length);
  const report = await verifyBundle(JSON.parse(JSON.stringify(mint)));
  expect(report.wrong).toEqual([]);
  for (const ledgerId of ['0.0.1', undefined]) {
    const bent = { ...mint, tokens: mint.tokens.map((each) => ({ ...each, ledgerId })) };
    const { wrong } = await verifyBundle(JSON.parse(JSON.stringify(bent)));
    expect(wrong.map(({ topic }) => topic)).toContain('amounts');
  }
});

it('a bundle says under which ids its messages are on the ledger, and a verifier which one is to be looked up', async () => {
  const ledger = new NamingLedger();
  const { engine, policyId, mint } = await provenMint(undefined, { ledger });
  engines.push(engine);
  await engine.program.ledger.idle();
  const bundle = await engine.tokens.bundle(registry, policyId, mint.about.documentId);
  expect(bundle.messages.length).toBeGreaterThan(3);
  for (const { id, ledgerId } of bundle.messages) expect(ledgerId).toBe(ledger.given.get(`message/${id}`));
  const presentation = bundle.documents.find(({ id }) => id === bundle.about.documentId);
  const own = ledger.given.get(`message/${presentation?.messageId ?? ''}`);
  const report = await verifyBundle(JSON.parse(JSON.stringify(bundle)));
  expect(report.wrong).toEqual([]);
  expect(report.unchecked.map(({ message }) => message).join('\n')).toContain(`that of the mint under ${String(own)}`);
  const twice = { ...bundle, messages: bundle.messages.map((each) => ({ ...each, ledgerId: own })), seal: mint.seal };
  const { wrong } = await verifyBundle(JSON.parse(JSON.stringify(twice)));
  expect(wrong.map(({ message }) => message)).toContain('two messages have one id on the ledger');
});

it('a mint with impacts names no source by an id that only the book knows', async () => {
  const ledger = new NamingLedger();
  const addon = {
    blockType: 'impactAddon',
    tag: 'impact',
    impactType: 'Primary Impacts',
    label: 'l',
    description: 'd',
  };
  const { engine, mint } = await provenMint(
    (blocks) => {
      const minting = blocks.find(({ blockType }) => blockType === 'mintDocumentBlock');
      Object.assign(minting ?? {}, { children: [{ ...addon, amount: 'kilowattHours', unit: 'kWh' }] });
    },
    { ledger },
  );
  engines.push(engine);
  const presentation = mint.documents.find(({ id }) => id === mint.about.documentId)?.document ?? {};
  const [source] = subjectsIn(presentation);
  expect(source).toMatchObject({ type: 'TokenDataSource', dataSource: [expect.any(String)] });
  for (const local of ledger.locals) expect(JSON.stringify(presentation)).not.toContain(`"${local}"`);
  // Readers of the store find the sources by the ids of the book.
  const stored = (await engine.documents.get(registry, mint.policy.id, mint.about.documentId)).document;
  expect(stored['tokenSources']).toEqual({ dataSource: [expect.any(String)], relationships: [] });
  expect(ledger.locals).toEqual(
    expect.arrayContaining((stored['tokenSources'] as { dataSource: string[] }).dataSource),
  );
});

/** Publishes a message, or asks for the ids that would be signed. */
const askingBlock = defineBlock({
  type: 'askingBlock',
  title: 'Asking',
  description: '',
  kind: 'interface',
  input: z.object({ message: z.string().optional(), token: z.string().optional() }),
  async receive(ctx, { message, token }) {
    if (token !== undefined) return { id: await ctx.ledger.signedTokenId(token) };
    if (message !== undefined) return { id: (await ctx.ledger.signedMessageId(message)) ?? null };
    const document = { id: 'urn:uuid:1', issuer: registry.did };
    const { id } = await ctx.ledger.publish({ topic: 'root', type: 'vc-document', owner: registry.did, document });
    return { id, signed: (await ctx.ledger.signedMessageId(id)) ?? null };
  },
});

async function asking(ledger: MemoryLedger | null, status: 'trial' | 'published', store = new MemoryStore()) {
  const engine = createEngine({ blocks: [askingBlock], store, ...(ledger !== null && { ledger }) });
  engines.push(engine);
  const config = { blockType: 'askingBlock', tag: 'ask', permissions: ['ANY_ROLE'] };
  const token = { tokenId: '0.0.77', tokenName: 'Credit', tokenSymbol: 'CR', tokenType: 'fungible', decimals: '2' };
  const { policy } = await engine.importPolicy(registry, { name: 'Asking', config, tokens: [token] });
  if (status === 'published') await engine.lifecycle.publish(registry, policy.id, '1.0.0');
  else await engine.lifecycle.dryRun(registry, policy.id);
  const ask = (data: Record<string, string>): Promise<unknown> =>
    engine.sendToBlock(registry, policy.id, { tag: 'ask' }, data);
  return { engine, policyId: policy.id, ask };
}

it('what has no id yet is not signed, and is as soon as the ledger has given one', async () => {
  const ledger = new NamingLedger();
  ledger.isAway = true;
  const { engine, ask } = await asking(ledger, 'published');
  const pending = { code: 'LEDGER_PENDING', retryable: true };
  await expect(ask({ token: '0.0.77' })).rejects.toMatchObject(pending);
  const { id, signed } = (await ask({})) as { id: string; signed: unknown };
  // Its own run cannot wait for the id that it gets afterwards.
  expect(signed).toBeNull();
  await expect(ask({ message: id })).rejects.toMatchObject(pending);
  ledger.isAway = false;
  await engine.ledger.resume({ did: 'did:example:operator', role: 'X', permissions: ['INSTANCE_OPERATE'] });
  await engine.program.ledger.idle();
  expect(await ask({ token: '0.0.77' })).toEqual({ id: ledger.given.get('token/0.0.77') });
  expect(await ask({ message: id })).toEqual({ id: ledger.given.get(`message/${id}`) });
  ledger.isAway = true;
  // Known from now on, whatever waits.
  await ask({});
  expect(await ask({ token: '0.0.77' })).toEqual({ id: ledger.given.get('token/0.0.77') });
});

it('publishing has the ledger make the tokens of the policy, once', async () => {
  const ledger = new NamingLedger();
  const { engine, policyId } = await asking(ledger, 'published');
  await engine.program.ledger.idle();
  const created = ledger.settled.filter(({ type }) => type === 'create-token');
  expect(created).toMatchObject([{ tokenId: '0.0.77', policyId, body: { tokenName: 'Credit', decimals: 2 } }]);
});

it.each([
  ['without an external ledger', null, 'published'],
  ['with a ledger that gives no ids', new MemoryLedger(), 'published'],
  ['in a trial', new NamingLedger(), 'trial'],
] as const)('the ids of the book are signed %s', async (_, ledger, status) => {
  const { ask, engine } = await asking(ledger, status);
  expect(await ask({ token: '0.0.77' })).toEqual({ id: '0.0.77' });
  const { id, signed } = (await ask({})) as { id: string; signed: unknown };
  expect(signed).toBe(id);
  await engine.program.ledger.idle();
  if (ledger !== null) expect(ledger.settled.filter(({ type }) => type === 'create-token')).toEqual([]);
});

it('what was booked before the ledger was used keeps the ids of the book, instead of waiting for ever', async () => {
  const store = new MemoryStore();
  const { ask, policyId } = await asking(null, 'published', store);
  const { id } = (await ask({})) as { id: string };
  const later = createEngine({ blocks: [askingBlock], store, ledger: new NamingLedger() });
  engines.unshift(later);
  const askLater = (data: Record<string, string>) => later.sendToBlock(registry, policyId, { tag: 'ask' }, data);
  expect(await askLater({ token: '0.0.77' })).toEqual({ id: '0.0.77' });
  expect(await askLater({ message: id })).toEqual({ id: null });
  expect(await askLater({ message: '1700000000.000000001' })).toEqual({ id: null });
});
