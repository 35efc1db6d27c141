/** What scenarios leave on a ledger: read from its mirror and the files alone, it is what the book of the policy has. */
import type { JsonObject, Ledger, LedgerMessage } from '@blockwork/core';
import {
  describeFailures,
  inProcess,
  openScenarioWorld,
  runScenario,
  type ScenarioAccess,
  type ScenarioWorld,
  type ScenarioWorldOptions,
} from '@blockwork/explorer';
import { cidOf } from '../src/index.js';
import { linkedData } from '@blockwork/linked-data';
import { type PolicyBench, RefusingLedger } from '@blockwork/testing';
import { verifyBundle } from '@blockwork/verify';
import { afterEach, describe, expect, it } from 'vitest';
import { type Bench, startBench } from './support/bench.js';
import type { FakeToken } from './support/fake-ledger.js';
import { type ReadMessage, ReferenceReader } from './support/reference-reader.js';
import { allCases } from '../../../test/scenarios/support/cases.js';
import { expectEndState } from '../../../test/scenarios/support/end-state.js';
import { isWhole } from '../../../test/support/repetitions.js';

const ANNOUNCED = '0.0.9000';

/** As the book calls them, and as they are called on the ledger. */
const types: Readonly<Record<string, string>> = {
  'vc-document': 'VC-Document',
  'vp-document': 'VP-Document',
  'role-document': 'Role-Document',
  'did-document': 'DID-Document',
};

const none: ReadMessage['content'] = {};

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** The adapter, which refuses beforehand what the scenario says that a ledger refuses. */
function refusing(adapter: Ledger): RefusingLedger {
  const own = new RefusingLedger();
  const check = async (...[effect, ...facts]: Parameters<Ledger['check']>): Promise<void> => {
    await own.check(effect);
    await adapter.check(effect, ...facts);
  };
  return new Proxy(own, {
    get: (_, name) => {
      if (name === 'check') return check;
      const holder = name === 'refuseNext' ? own : adapter;
      const value: unknown = Reflect.get(holder, name);
      return typeof value === 'function' ? (value.bind(holder) as unknown) : value;
    },
  });
}

/** Whatever a step causes is on the ledger before the next one. */
async function settling(bench: PolicyBench): Promise<ScenarioAccess> {
  const { engine } = await bench.open();
  const direct = inProcess(bench);
  const settled = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } finally {
      await engine.program.ledger.idle();
    }
  };
  await engine.program.ledger.idle();
  return {
    read: (session, tag) => settled(direct.read(session, tag)),
    send: (session, tag, body) => settled(direct.send(session, tag, body)),
    external: (tag, data) => settled(direct.external(tag, data)),
  };
}

interface OnLedger {
  readonly world: ScenarioWorld;
  readonly network: Bench;
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly ids: NonNullable<Ledger['ids']>;
}

type Proofs = NonNullable<ScenarioWorldOptions['proofs']>;

async function played(policy: Parameters<typeof openScenarioWorld>[0], proofs: Proofs): Promise<OnLedger> {
  const files = new Map<string, Uint8Array>();
  const put = (bytes: Uint8Array): Promise<string> => {
    files.set(cidOf(bytes), bytes);
    return Promise.resolve(cidOf(bytes));
  };
  const network = startBench({ files: { put }, parentTopic: ANNOUNCED });
  network.ledger.topics.set(ANNOUNCED, { memo: '', submitKey: '', messages: [] });
  const adapter = network.open();
  const { ids, store } = { ids: adapter.ids, store: network.store };
  const ledger = refusing(adapter);
  const signing = { proofs, linkedData: linkedData() };
  const world = await openScenarioWorld(policy, { status: 'published', store, ledger, access: settling, ...signing });
  closing.push(() => world.close());
  return { world, network, files, ids };
}

/** What documents name a token as, once it is on the ledger. */
async function tokensOnLedger(
  tokens: readonly { readonly id: string }[],
  policyId: string,
  ids: OnLedger['ids'],
): Promise<ReadonlyMap<string, string>> {
  const entries = tokens.map(async ({ id }) => [id, (await ids.idOf(policyId, 'token', id)) ?? id] as const);
  return new Map(await Promise.all(entries));
}

/** The script, where it expects a token in a document. */
const renamed = (script: unknown, tokens: ReadonlyMap<string, string>): unknown =>
  JSON.parse(JSON.stringify(script), (key, value: unknown) =>
    key.endsWith('credentialSubject.0.tokenId') ? (tokens.get(String(value)) ?? value) : value,
  );

/** What accounts have of a token, but for its treasury. */
const holdings = ({ relations, owners, treasury }: FakeToken): string[] =>
  [...relations]
    .filter(([account]) => account !== treasury)
    .map(([account, { balance }]) => balance + BigInt([...owners.values()].filter((owner) => owner === account).length))
    .filter((units) => units > 0n)
    .map(String)
    .sort();

const fileOf = ({ content }: ReadMessage, files: ReadonlyMap<string, Uint8Array>): JsonObject => {
  const cid = String(content['cid']);
  const file = files.get(cid);
  if (file === undefined || cidOf(file) !== cid) throw new Error(`The file ${cid} is not there.`);
  return JSON.parse(Buffer.from(file).toString('utf8')) as JsonObject;
};

/** The second takes ten times the processor time. */
const suites: readonly Proofs[] = isWhole ? ['eddsa-jcs-2022', 'Ed25519Signature2018'] : ['eddsa-jcs-2022'];

describe.each(allCases)('$name', ({ name, script, policy, endState }) => {
  it.each(suites)(
    'leaves its documents, their relationships and what was minted on the ledger, signed by %s',
    async (proofs) => {
      const { world, network, files, ids } = await played(policy, proofs);
      const { engine, owner, policyId, store } = await world.bench.open();
      const tokens = await tokensOnLedger(await store.find('ledger-token', policyId), policyId, ids);
      expect(describeFailures(name, await runScenario(renamed(script, tokens), world))).toBe('');
      if (endState !== null) await expectEndState(world, endState);
      await engine.program.ledger.idle();
      expect((await engine.program.getBacklog()).settlements).toBe(0);

      const read = new ReferenceReader(network.network).read(ANNOUNCED);
      const [published] = read.filter(({ content }) => content['type'] === 'Instance-Policy');
      expect(published?.content).toMatchObject({ action: 'publish-policy', version: '1.0.0' });

      // Each message with a document, in the order of its topic.
      const documents = (await store.find('ledger-message', policyId)).filter(({ type }) => type in types);
      const ledgerId = (message: Pick<LedgerMessage, 'id'>): Promise<string | undefined> =>
        ids.idOf(policyId, 'message', message.id);
      const book = await Promise.all(
        documents.map(async (message) => ({
          id: await ledgerId(message),
          type: types[message.type],
          relationships: await Promise.all(message.relationships.map((id) => ledgerId({ id }))),
        })),
      );
      const byId = new Map<string | undefined, ReadMessage>(read.map((message) => [message.id, message]));
      const onLedger = book.map(({ id }) => {
        const { type, relationships = [] } = byId.get(id)?.content ?? none;
        return { id, type, relationships };
      });
      expect(onLedger).toEqual(book);
      const ofDocuments = read.filter(
        ({ content }) => content['status'] === 'ISSUE' && Object.values(types).includes(String(content['type'])),
      );
      expect(ofDocuments).toHaveLength(book.length);

      // Each stored document that was published is a file, as it was signed.
      const signatures = ofDocuments.map((message) => fileOf(message, files)['proof'] as JsonObject | undefined);
      const signedBy = signatures.flatMap((proof) =>
        proof === undefined ? [] : (proof['cryptosuite'] ?? proof['type']),
      );
      // What is no linked data is signed as it is without the setting.
      expect(signedBy.filter((each) => each !== proofs && each !== 'eddsa-jcs-2022')).toEqual([]);
      expect(signedBy).toContain(proofs);
      // Parts of a document name the message of the whole.
      const hashes = new Map(documents.map((message) => [message.id, message.hash]));
      const stored = (await store.find('document', policyId)).filter(
        ({ messageId, hash }) => messageId && hashes.get(messageId) === hash,
      );
      expect(stored.length).toBeGreaterThan(0);
      for (const { messageId, document } of stored) {
        const message = byId.get((await ledgerId({ id: messageId ?? '' })) ?? '');
        expect(message && fileOf(message, files)).toEqual(document);
      }

      for (const { id, supply } of await store.find('ledger-token', policyId)) {
        const token = await ids.idOf(policyId, 'token', id);
        if (token === undefined) {
          // Nothing was minted of a template that no step has made a token of.
          expect(supply).toBe('0');
          continue;
        }
        const { body } = network.network.mirror(`tokens/${token}`);
        expect((JSON.parse(body) as { total_supply: string }).total_supply).toBe(supply);
      }
      const relations = await store.find('ledger-relation', policyId);
      for (const { id } of await store.find('ledger-token', policyId)) {
        const balances = relations.filter(({ tokenId, balance }) => tokenId === id && balance !== '0');
        const token = network.ledger.tokens.get((await ids.idOf(policyId, 'token', id)) ?? '');
        expect(token === undefined ? [] : holdings(token)).toEqual(balances.map(({ balance }) => balance).sort());
      }
      const bundle: unknown = await engine.documents.bundle(owner, policyId, stored.at(-1)?.id ?? '');
      const { ok, wrong } = await verifyBundle(structuredClone(bundle), { linkedData: linkedData() });
      expect({ ok, wrong }).toEqual({ ok: true, wrong: [] });
      const { differences } = await engine.ledger.compare(owner, policyId);
      expect(differences).toEqual([]);
    },
  );
});
