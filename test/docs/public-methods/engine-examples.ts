/** The engine as its examples take it: with a policy in which somebody has written something. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { standardBlocks, webhookSender } from '@blockwork/blocks';
import {
  createEngine,
  MemoryLedger,
  MemoryLink,
  MemoryLinkHub,
  MemoryStore,
  newInstanceKey,
  silentLogger,
  type Caller,
  type PolicyEngine,
  type PublishedFile,
} from '@blockwork/core';
import { packArchive } from '@blockwork/core/files';
import { INSTANCE, type JsonObject, type PolicyRecord } from '@blockwork/core/records';
import { block, keyHolder, SequentialIds, SimulatedClock, SimulatedTimers } from '@blockwork/testing';
import { onTestFinished } from 'vitest';
import { message, record, requestId } from '../../http/support/remote-request.js';
import type { ExampleSuite } from './example-suite.js';
import { types } from './types.js';

const SCHEMA = '#00000000-0000-4000-8000-00000000aaaa';
const save = block('sendToGuardianBlock', 'save', { dataSource: 'database', documentType: 'vc', entityType: 'note' });
const config = block('interfaceContainerBlock', 'root', {
  children: [
    block('policyRolesBlock', 'choose_role', { permissions: ['NO_ROLE'], roles: ['Writer'] }),
    block('requestVcDocumentBlock', 'form', { permissions: ['Writer'], schema: SCHEMA, idType: 'UUID' }),
    save,
    block('module', 'checks', { children: [block('interfaceContainerBlock', 'checked')] }),
    block('externalDataBlock', 'intake', { entityType: 'reading', schema: null }),
    block('timerBlock', 'daily', { startDate: '2026-01-01T00:00:00.000Z', period: 'daily' }),
    block('interfaceDocumentsSourceBlock', 'notes', {
      permissions: ['ANY_ROLE', 'OWNER'],
      children: [block('documentsSourceAddon', 'notes_source', { dataType: 'vc-documents' })],
    }),
  ],
});
const registry = {
  name: 'Registry',
  policyTag: 'Tag_1',
  policyRoles: ['Writer'],
  schemas: [
    {
      iri: SCHEMA,
      name: 'Note',
      document: { $id: SCHEMA, type: 'object', properties: { value: { type: 'number' } } },
    },
  ],
  tokens: [{ tokenId: '0.0.77', tokenName: 'Note', tokenSymbol: 'N', tokenType: 'fungible', decimals: 0 }],
  config,
};

/** What examples take for granted. */
export interface Around {
  readonly engine: PolicyEngine;
  readonly owner: Caller;
  readonly alice: Caller;
  readonly config: object;
  readonly policyId: string;
  readonly documentId: string;
  /** Of the presentation of a mint. */
  readonly presentationId: string;
  readonly entryId: string;
  readonly northKey: KeyObject;
  readonly savepointId: string;
  readonly schemaIri: string;
  readonly tokenId: string;
  readonly editId: string;
  readonly fileId: string;
  readonly notificationId: string;
  /** Of the key of a device that is registered, and what registers that of another. */
  readonly key: string;
  readonly registration: JsonObject;
  readonly credential: JsonObject;
  /** Of the request of another instance, or of the published tool. */
  readonly messageId: string;
  readonly message: object;
  readonly record: PolicyRecord;
  readonly toolFile: Uint8Array;
  readonly hash: string;
}

const drafts = [
  ...['lifecycle.dryRun', 'lifecycle.replace', 'lifecycle.delete'],
  ...['ledger.publishedSchema'],
  ...['addFiles', 'check', 'edit', 'get', 'history', 'removeFile', 'replace', 'undo'].map((name) => `editing.${name}`),
];
const published = ['lifecycle.discontinue', 'lifecycle.nextVersion', 'requests.offerPolicy'];

const tool = { messageId: '1773670900.000000001', hash: 'hash of the tool' };
const toolFile = packArchive(
  new Map([['tool.json', Buffer.from(JSON.stringify({ name: 'Tool', config: block('tool', 'tool', {}) }))]]),
);
/** What the ledger has under any message. */
const policyFile: PublishedFile = { kind: 'policy', name: 'Registry', file: new Uint8Array() };
const schemaFile: PublishedFile = {
  ...{ kind: 'schema', name: 'Well' },
  file: Buffer.from(JSON.stringify({ iri: '#well', name: 'Well', document: { $id: '#well', type: 'object' } })),
};
const north = newInstanceKey();

/** Puts a notification into an inbox, as policies do. */
const notify = (did: string, policyId: string) => ({
  op: 'put' as const,
  kind: 'notification' as const,
  partition: INSTANCE,
  value: {
    ...{
      id: 'notification',
      did,
      policyId,
      title: 'Report',
      message: 'A report waits for you.',
      type: 'INFO' as const,
    },
    ...{ opensPolicy: true, trial: false, read: false, createDate: '2026-01-01T00:00:00.000Z' },
  },
});
/** Says that another instance hosts the policy. */
const hosted = (policyId: string) => ({
  op: 'put' as const,
  kind: 'policy-host' as const,
  partition: INSTANCE,
  value: { id: policyId, instance: 'north' },
});

/** A policy in a trial in which somebody has written something; then as the method wants it. */
export async function around(method: string): Promise<Around> {
  const [clock, ids, store] = [new SimulatedClock(), new SequentialIds(), new MemoryStore()];
  const engine = createEngine({
    blocks: standardBlocks(),
    clock,
    ids,
    ledger: new MemoryLedger(),
    publications: { read: () => Promise.resolve(method === 'ledger.publishedSchema' ? schemaFile : policyFile) },
    instance: { id: 'here', key: newInstanceKey().privateKey },
    link: new MemoryLink({ hub: new MemoryLinkHub() }),
    logger: silentLogger,
    operators: ['did:example:owner'],
    peers: [{ id: 'north', key: north.publicKey, identities: ['did:example:*'] }],
    store,
    timers: new SimulatedTimers(clock),
    trustedInstances: ['far-away'],
    webhooks: webhookSender({ allow: ['https://hooks.example.org/in'] }),
  });
  onTestFinished(() => engine.close());
  const owner = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
  const { policy } = await engine.importPolicy(owner, registry);
  await engine.lifecycle.dryRun(owner, policy.id);
  const { did } = await engine.trials.addUser(owner, policy.id, 'Alice');
  const alice = await engine.trials.caller(owner, policy.id, did);
  await engine.sendToBlock(alice, policy.id, { tag: 'choose_role' }, { role: 'Writer' });
  await engine.sendToBlock(alice, policy.id, { tag: 'form' }, { document: { value: 3 }, ref: null });
  const savepoint = await engine.trials.makeSavepoint(owner, policy.id, 'First');
  const documents = await engine.documents.list(owner, policy.id);
  const entries = await engine.journal.list(owner, policy.id);
  if (drafts.includes(method)) await engine.lifecycle.draft(owner, policy.id);
  const edit = drafts.includes(method)
    ? (await engine.editing.edit(owner, policy.id, [{ op: 'setText', name: 'description', value: 'Notes' }])).edit
    : null;
  if (published.includes(method)) await engine.lifecycle.publish(owner, policy.id, '1.0.0');
  const [meter, other] = await Promise.all(['meter', 'other'].map((name) => keyHolder(name, clock)));
  if (meter === undefined || other === undefined) throw new Error('There are two devices.');
  await engine.identities.register(alice, { registration: await meter.registration(alice.did) });
  const isRemote = method === 'requests.sendToRemoteBlock';
  await store.commit({ expect: {}, changes: [notify(alice.did, policy.id), ...(isRemote ? [hosted(policy.id)] : [])] });
  if (method === 'tools.export') await engine.tools.import(owner, toolFile, tool);
  return {
    engine,
    owner,
    alice,
    config,
    editId: edit?.id ?? '',
    fileId: method === 'editing.removeFile' ? await addFile(engine, owner, policy.id) : '',
    notificationId: 'notification',
    key: meter.key,
    registration: await other.registration(alice.did),
    credential: await meter.sign({ credentialSubject: [{ value: 3 }] }),
    messageId: method.startsWith('tools.') ? tool.messageId : await requestFor(method, engine, owner, policy.id),
    message: message(),
    record,
    toolFile,
    hash: tool.hash,
    policyId: policy.id,
    documentId: documents.items.at(-1)?.id ?? '',
    presentationId: method === 'tokens.bundle' ? await mint(engine, store, policy.id) : '',
    entryId: entries.items[0]?.id ?? '',
    northKey: generateKeyPairSync('ed25519').publicKey,
    savepointId: savepoint.id,
    schemaIri: SCHEMA,
    tokenId: '0.0.77',
  };
}

/** Adds a file to the draft, and resolves to its id. */
async function addFile(engine: PolicyEngine, owner: Caller, policyId: string): Promise<string> {
  const content = new TextEncoder().encode('{}');
  const [file] = await engine.editing.addFiles(owner, policyId, [{ name: 'factors', extension: 'json', content }]);
  return file?.id ?? '';
}

/** A mint, as policies make them. Resolves to the id of its presentation. */
async function mint(engine: PolicyEngine, store: MemoryStore, policyId: string): Promise<string> {
  const [at, messageId] = ['2026-01-01T00:00:00.000Z', '1767225600.000000001'];
  const presentation = { owner: 'did:example:owner', messageId, document: { type: ['VerifiablePresentation'] } };
  const added = await engine.program.documents.add(policyId, [{ ...presentation, id: 'presentation' }]);
  const value = { id: 'effect', policyId, at, type: 'mint' as const, tokenId: '0.0.77', units: '3', memo: messageId };
  const change = { op: 'put' as const, kind: 'ledger-effect' as const, partition: policyId, value };
  await store.commit({ expect: {}, changes: [change] });
  return added[0]?.id ?? '';
}

/** The id of the request that the method is about. */
async function requestFor(method: string, engine: PolicyEngine, owner: Caller, policyId: string): Promise<string> {
  if (method === 'requests.cancel') {
    const action = { type: 'send-data', tag: 'form', user: { did: owner.did }, data: {} } as const;
    return (await engine.requests.ask(owner, { to: 'north', policyId, action })).messageId;
  }
  if (!method.startsWith('requests.')) return '';
  await engine.program.requests.receive(message());
  // Whoever waits for a request that is closed has the answer at once.
  if (method === 'requests.waitForAnswer') await engine.requests.reject(owner, requestId);
  return requestId;
}

const names: Record<keyof Around, string> = {
  engine: "import('@blockwork/core').PolicyEngine",
  owner: "import('@blockwork/core').Caller",
  alice: "import('@blockwork/core').Caller",
  config: 'object',
  policyId: 'string',
  documentId: 'string',
  presentationId: 'string',
  entryId: 'string',
  northKey: "import('node:crypto').KeyObject",
  savepointId: 'string',
  schemaIri: 'string',
  tokenId: 'string',
  editId: 'string',
  fileId: 'string',
  notificationId: 'string',
  key: 'string',
  registration: 'object',
  credential: 'object',
  messageId: 'string',
  message: 'object',
  record: "import('@blockwork/core').PolicyRecord",
  toolFile: 'Uint8Array',
  hash: 'string',
};

export const engineExamples: ExampleSuite<Around> = {
  holder: 'the engine',
  examples: types.methods('core', 'PolicyEngine').map((each) => ({ ...each, call: `engine.${each.name}(` })),
  names,
  perform: async (method, run) => run(await around(method)),
};
