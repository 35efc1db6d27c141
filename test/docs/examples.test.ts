/** The `@example` of each method of the engine compiles and runs, on an engine with a policy. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { standardBlocks, webhookSender } from '@blockwork/blocks';
import { createEngine, silentLogger, type Caller, type PolicyEngine } from '@blockwork/core';
import { block, SequentialIds, SimulatedClock, SimulatedTimers } from '@blockwork/testing';
import ts from 'typescript';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PublicTypes } from '../packages/public-types.js';
import { complaints } from './support/compiled-snippets.js';

const methods = new PublicTypes(['core']).methods('core', 'PolicyEngine');
const examples = methods.filter(({ example }) => example !== '');

/** They need a draft, another instance, a file or a credential made elsewhere, or a notification. */
const without = [
  'editing.blockTypes',
  'editing.check',
  'editing.checkDefinition',
  'editing.create',
  'editing.edit',
  'editing.get',
  'editing.history',
  'editing.read',
  'editing.replace',
  'editing.templates',
  'editing.undo',
  'exportModule',
  'identities.register',
  'identities.revoke',
  'identities.rotate',
  'notifications.markRead',
  'notifications.remove',
  'program.requests.receive',
  'requests.approve',
  'requests.approveAsOffered',
  'requests.ask',
  'requests.cancel',
  'requests.get',
  'requests.offerPolicy',
  'requests.reject',
  'requests.sendToRemoteBlock',
  'requests.waitForAnswer',
  'submitExternal',
  'tools.export',
  'tools.import',
];

const SCHEMA = '#00000000-0000-4000-8000-00000000aaaa';
const save = block('sendToGuardianBlock', 'save', { dataSource: 'database', documentType: 'vc', entityType: 'note' });
const config = block('interfaceContainerBlock', 'root', {
  children: [
    block('policyRolesBlock', 'choose_role', { permissions: ['NO_ROLE'], roles: ['Writer'] }),
    block('requestVcDocumentBlock', 'form', { permissions: ['Writer'], schema: SCHEMA, idType: 'UUID' }),
    save,
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
interface Around {
  readonly engine: PolicyEngine;
  readonly owner: Caller;
  readonly alice: Caller;
  readonly config: object;
  readonly policyId: string;
  readonly documentId: string;
  readonly entryId: string;
  readonly northKey: KeyObject;
  readonly savepointId: string;
  readonly schemaIri: string;
  readonly tokenId: string;
}

const drafts = ['lifecycle.dryRun', 'lifecycle.replace', 'lifecycle.delete'];
const published = ['lifecycle.discontinue', 'lifecycle.nextVersion'];

/** A policy in a trial in which somebody has written something; then as the method wants it. */
async function around(method: string): Promise<Around> {
  const [clock, ids] = [new SimulatedClock(), new SequentialIds()];
  const engine = createEngine({
    blocks: standardBlocks(),
    clock,
    ids,
    logger: silentLogger,
    operators: ['did:example:owner'],
    timers: new SimulatedTimers(clock),
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
  if (published.includes(method)) await engine.lifecycle.publish(owner, policy.id, '1.0.0');
  return {
    engine,
    owner,
    alice,
    config,
    policyId: policy.id,
    documentId: documents.items.at(-1)?.id ?? '',
    entryId: entries.items[0]?.id ?? '',
    northKey: generateKeyPairSync('ed25519').publicKey,
    savepointId: savepoint.id,
    schemaIri: SCHEMA,
    tokenId: '0.0.77',
  };
}

const names: Record<keyof Around, string> = {
  engine: "import('@blockwork/core').PolicyEngine",
  owner: "import('@blockwork/core').Caller",
  alice: "import('@blockwork/core').Caller",
  config: 'object',
  policyId: 'string',
  documentId: 'string',
  entryId: 'string',
  northKey: "import('node:crypto').KeyObject",
  savepointId: 'string',
  schemaIri: 'string',
  tokenId: 'string',
};
const parameters = Object.entries(names).map(([name, type]) => `${name}: ${type}`);
const programOf = (code: string): string => `export async function example(${parameters.join(', ')}) {\n${code}\n}\n`;

describe('the example of a method', () => {
  it('is there, but for methods that need more than a policy', () => {
    const missing = methods.filter(({ example }) => example === '').map(({ name }) => name);
    expect(missing.sort()).toEqual(without);
  });

  const said = complaints(
    examples.map(({ name, example }) => ({
      place: name,
      page: name,
      language: 'ts',
      info: '',
      code: programOf(example),
    })),
    { isPart: false },
  );

  it.each(examples.map((each, n) => ({ ...each, said: said[n] })))('$name compiles and runs', async (each) => {
    expect(each.said).toEqual([]);
    expect(each.example).toContain(`engine.${each.name}(`);
    const { outputText } = ts.transpileModule(programOf(each.example), {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 },
    });
    const module = (await import(`data:text/javascript,${encodeURIComponent(outputText)}`)) as {
      example(...values: unknown[]): Promise<void>;
    };
    const given = await around(each.name);
    await module.example(...Object.keys(names).map((name) => given[name as keyof Around]));
  });
});
