/** A policy from joining to minting on the fake network: whoever has only the mirror and the files verifies every document. */
import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { standardBlocks } from '@blockwork/blocks';
import {
  BlockworkError,
  createEngine,
  SeededKeys,
  silentLogger,
  type Caller,
  type JsonObject,
  type Keys,
  type PolicyEngine,
} from '@blockwork/core';
import { createProof } from '@blockwork/core/adapter';
import { linkedData } from '@blockwork/linked-data';
import { keyHolder, SequentialIds, SimulatedTimers } from '@blockwork/testing';
import { verifyBundle } from '@blockwork/verify';
import { afterEach, describe, expect, it } from 'vitest';
import { cidOf, hederaDids } from '../src/index.js';
import { startBench, type Bench } from './support/bench.js';
import { readTopic, Reader, type ReadMessage } from './support/topic-reader.js';

const didMethod = hederaDids({ network: 'fake', topic: '0.0.4711' });
const seeded = new SeededKeys(new Uint8Array(32).fill(5));
const file = new URL('../../../examples/test-a-policy/sunlight.policy.json', import.meta.url);

/** Who has a key here, by the DID that is made of it. */
const names = new Map<string, string>();
const nameOf = (name: string): string => {
  if (name.startsWith('did:hedera:') && !names.has(name))
    throw new BlockworkError('KEY_UNAVAILABLE', { facts: { did: name } });
  return names.get(name) ?? name;
};
const heldKeys: Keys = {
  publicKey: async (name) => seeded.publicKey(nameOf(name)),
  sign: async (name, bytes) => seeded.sign(nameOf(name), bytes),
};
async function person(name: string, role: string): Promise<Caller> {
  const { did } = didMethod.identityOf(await seeded.publicKey(name));
  names.set(did, name);
  return { did, role };
}
const registry = await person('registry', 'STANDARD_REGISTRY');
const alice = await person('alice', 'USER');
/** Whose key nobody here knows. */
const stranger: Caller = { did: didMethod.identityOf(new Uint8Array(32).fill(9)).did, role: 'USER' };

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Chain extends Bench {
  readonly engine: PolicyEngine;
  readonly policyId: string;
  readonly messages: () => ReadMessage[];
  readonly send: (caller: Caller, tag: string, data: object) => Promise<void>;
}

interface Block {
  readonly tag: string;
  readonly children?: readonly Block[];
}
const blocksIn = (block: Block): Block[] => [block, ...(block.children ?? []).flatMap(blocksIn)];

async function chain(proofs: 'eddsa-jcs-2022' | 'Ed25519Signature2018'): Promise<Chain> {
  const files = new Map<string, Uint8Array>();
  const put = (content: Uint8Array): Promise<string> => {
    files.set(cidOf(content), content);
    return Promise.resolve(cidOf(content));
  };
  const bench = startBench({ files: { put } });
  const engine = createEngine({
    ...{ blocks: standardBlocks(), store: bench.store, ledger: bench.open(), clock: bench.clock, keys: heldKeys },
    ...{ ids: new SequentialIds(), timers: new SimulatedTimers(bench.clock), logger: silentLogger },
    ...{ didMethod, proofs, linkedData: linkedData() },
  });
  closing.push(() => engine.close());
  const policy = JSON.parse(readFileSync(file, 'utf8')) as { config: Block };
  for (const block of blocksIn(policy.config))
    if (block.tag.startsWith('save_')) Object.assign(block, { dataSource: 'auto', topic: 'root' });
  if (proofs === 'Ed25519Signature2018')
    for (const block of blocksIn(policy.config)) if (block.tag === 'report') Object.assign(block, { idType: 'DID' });
  const { policy: imported } = await engine.importPolicy(registry, policy);
  await engine.lifecycle.publish(registry, imported.id, '1.0.0');
  const settled = async (): Promise<void> => {
    await engine.program.ledger.idle();
    bench.clock.advance('1m');
  };
  await settled();
  return {
    ...bench,
    engine,
    policyId: imported.id,
    messages: () => {
      const topics = [...bench.ledger.topics.keys()];
      return topics.flatMap((topic) => readTopic(topic, (path) => bench.network.mirror(path), files));
    },
    send: async (caller, tag, data) => {
      await engine.sendToBlock(caller, imported.id, { tag }, data);
      await settled();
    },
  };
}

const joins = ({ send }: Chain, caller: Caller): Promise<void> => send(caller, 'choose_role', { role: 'Producer' });

async function reports(all: Chain): Promise<void> {
  const { engine, policyId, send } = all;
  await send(alice, 'report', { document: { site: 'Roof', kilowattHours: 12.5 }, ref: null });
  const grid = await engine.readBlock<{ data: { option: { status?: string } }[] }>(registry, policyId, {
    tag: 'all_reports',
  });
  const row = grid.data.find(({ option }) => option.status === 'Waiting');
  const approved = { ...row, option: { ...row?.option, status: 'Approved' } };
  await send(registry, 'decide', { tag: 'Approve', document: approved });
}

/** The schema of reports. */
const REPORT = '5a1e0000-0000-4000-8000-000000000001';

/** One who keeps the key of a `did:hedera`, and has registered it. */
async function walletOf({ engine, clock }: Chain, name: string) {
  const holder = await keyHolder(name, clock);
  const keys = new SeededKeys(createHash('sha256').update(name).digest());
  const { did } = didMethod.identityOf(await keys.publicKey(name));
  const caller: Caller = { did, role: 'USER' };
  await engine.identities.register(caller, { registration: await holder.registration(did, did) });
  const signed = async (subject: JsonObject): Promise<JsonObject> => {
    const created = new Date(clock.now()).toISOString();
    const credential: JsonObject = {
      '@context': ['https://www.w3.org/2018/credentials/v1', 'https://w3id.org/security/data-integrity/v2'],
      ...{ id: `urn:uuid:${name}`, type: ['VerifiableCredential'], issuer: did, issuanceDate: created },
      credentialSubject: [subject],
    };
    const verificationMethod = `${did}#did-root-key`;
    const sign = (bytes: Uint8Array): Promise<Uint8Array> => keys.sign(name, bytes);
    const proof = await createProof(credential, { verificationMethod, created, purpose: 'assertionMethod', sign });
    return { ...credential, proof };
  };
  return { caller, key: holder.key, signed };
}

const subjectIds = (messages: readonly ReadMessage[]): unknown[] =>
  messages.flatMap(({ document }) => (document?.['credentialSubject'] ?? []) as JsonObject[]).map(({ id }) => id);

const documentTypes = ['VC-Document', 'VP-Document', 'Role-Document'];

describe.each(['eddsa-jcs-2022', 'Ed25519Signature2018'] as const)('with proofs of %s', (proofs) => {
  it('every document on the ledger verifies with the keys that its topics have', async () => {
    const all = await chain(proofs);
    await joins(all, alice);
    await reports(all);
    const reader = new Reader(() => all.clock.now());
    const accepted: string[] = [];
    const messages = all.messages();
    for (const { type, document } of messages) if (type === 'DID-Document') reader.learn(document ?? {});
    for (const { type, document } of messages) {
      if (document === null || !documentTypes.includes(type)) continue;
      const { proof } = document as { proof: { type: string; cryptosuite?: string } };
      expect(proof.cryptosuite ?? proof.type).toBe(proofs);
      expect({ type, accepted: await reader.accepts(document) }).toEqual({ type, accepted: true });
      const bent = structuredClone(document);
      const [held = bent] = (bent['verifiableCredential'] ?? []) as JsonObject[];
      const [subject] = held['credentialSubject'] as JsonObject[];
      Object.assign(subject ?? {}, { kilowattHours: 99 });
      expect(await reader.accepts(bent)).toBe(false);
      accepted.push(type);
    }
    const subjects = reader.dids.filter((did) => did !== alice.did && did !== registry.did);
    expect(reader.dids).toEqual(expect.arrayContaining([alice.did, registry.did]));
    // A site that was reported about is an identity of its own there.
    expect(subjects).toHaveLength(proofs === 'Ed25519Signature2018' ? 1 : 0);
    for (const did of subjects) expect(subjectIds(messages)).toContain(did);
    expect(new Set(accepted)).toEqual(new Set(documentTypes));
    expect(all.ledger.successes('mint')).toHaveLength(1);
  });

  it('a bundle has the keys that were published, so that nothing about them is left open', async () => {
    const all = await chain(proofs);
    await joins(all, alice);
    await reports(all);
    const { engine, policyId } = all;
    const { items } = await engine.documents.list(registry, policyId, { type: 'report' });
    const bundle = JSON.parse(JSON.stringify(await engine.documents.bundle(registry, policyId, items[0]?.id ?? '')));
    const report = await verifyBundle(bundle as object, { linkedData: linkedData() });
    expect(report.wrong).toEqual([]);
    expect(report.unchecked.filter(({ topic }) => topic === 'keys')).toEqual([]);
  });
});

describe('the document of a member', () => {
  const published = ({ messages }: Chain): string[] =>
    messages().flatMap(({ type, content }) => (type === 'DID-Document' ? (content['did'] as string) : []));

  it('is in the topic before the role that names the member, once, however many roles follow', async () => {
    const all = await chain('eddsa-jcs-2022');
    await joins(all, alice);
    const types = all.messages().map(({ type, content }) => (type === 'DID-Document' ? content['did'] : type));
    expect(types.slice(types.indexOf(alice.did), types.indexOf(alice.did) + 2)).toEqual([alice.did, 'Role-Document']);
    const bob = await person('bob', 'USER');
    await joins(all, bob);
    expect(published(all)).toEqual([registry.did, alice.did, bob.did]);
    expect((await all.engine.ledger.compare(registry, all.policyId)).differences).toEqual([]);
  });

  it('is that of a key that the member has registered, and proves what the member signs with it, also in bundles', async () => {
    const all = await chain('eddsa-jcs-2022');
    const { engine, policyId, send } = all;
    const { caller, signed } = await walletOf(all, 'wallet');
    await joins(all, caller);
    const subject = {
      ...{ id: 'urn:uuid:0b2f5f0e-6a55-4c3c-a5f0-4a4c5d6e7f80', type: REPORT, '@context': [`schema:${REPORT}`] },
      ...{ policyId, site: 'Barn', kilowattHours: 3 },
    };
    await send(caller, 'report', { document: await signed(subject), ref: null });
    const reader = new Reader(() => all.clock.now());
    const messages = all.messages();
    for (const { type, document } of messages) if (type === 'DID-Document') reader.learn(document ?? {});
    expect(reader.dids).toContain(caller.did);
    const own = messages.filter(({ document }) => document?.['issuer'] === caller.did);
    expect(own.map(({ type }) => type)).toEqual(['VC-Document']);
    expect(await reader.accepts(own[0]?.document ?? {})).toBe(true);
    const { items } = await engine.documents.list(registry, policyId, { type: 'report' });
    const bundle = await engine.documents.bundle(registry, policyId, items[0]?.id ?? '');
    expect(bundle.identities.find(({ did }) => did === caller.did)?.document).toMatchObject({ id: caller.did });
    const report = await verifyBundle(JSON.parse(JSON.stringify(bundle)));
    expect(report.wrong).toEqual([]);
    expect(report.unchecked.filter(({ topic }) => topic === 'keys')).toEqual([]);
  });

  it('is not published with a key that was revoked before', async () => {
    const all = await chain('eddsa-jcs-2022');
    const { caller, key } = await walletOf(all, 'lost');
    await all.engine.identities.revoke(caller, key);
    await joins(all, caller);
    expect(published(all)).toEqual([registry.did]);
  });

  it('is not made up for one whose key is not known', async () => {
    const all = await chain('eddsa-jcs-2022');
    await joins(all, stranger);
    await joins(all, { did: 'did:example:carol', role: 'USER' });
    expect(published(all)).not.toContain(stranger.did);
    expect(published(all)).not.toContain('did:example:carol');
    expect(all.messages().filter(({ type }) => type === 'Role-Document')).toHaveLength(2);
  });
});
