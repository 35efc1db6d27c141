/** The client as its examples take it: of a server in memory, for the owner of a policy in which somebody has written something. */
import { createClient, statusIs, type Client, type PolicyClient } from '@blockwork/client';
import { createPolicyHandler, signDevelopmentToken } from '@blockwork/http-fetch';
import { expect } from 'vitest';
import { around } from './engine-examples.js';
import type { ExampleSuite } from './example-suite.js';
import { types } from './types.js';
import { watched } from './watched.js';

interface Around {
  readonly alert: (text: string) => void;
  readonly client: Client;
  readonly did: string;
  readonly documentId: string;
  readonly entryId: string;
  readonly file: Uint8Array;
  readonly policy: PolicyClient;
  readonly policyId: string;
  readonly presentationId: string;
  readonly readFile: (path: string) => Promise<Uint8Array>;
  readonly schemaIri: string;
  readonly show: (shown: unknown) => void;
  readonly signal: AbortSignal;
  readonly statusIs: typeof statusIs;
  readonly tokenId: string;
  readonly webhookId: string;
  readonly writeFile: (path: string, content: string | Uint8Array) => Promise<void>;
}

const names: Record<keyof Around, string> = {
  alert: '(text: string) => void',
  client: "import('@blockwork/client').Client",
  did: 'string',
  documentId: 'string',
  entryId: 'string',
  file: 'Uint8Array',
  policy: "import('@blockwork/client').PolicyClient",
  policyId: 'string',
  presentationId: 'string',
  readFile: '(path: string) => Promise<Uint8Array>',
  schemaIri: 'string',
  show: '(shown: unknown) => void',
  signal: 'AbortSignal',
  statusIs: "typeof import('@blockwork/client').statusIs",
  tokenId: 'string',
  webhookId: 'string',
  writeFile: '(path: string, content: string | Uint8Array) => Promise<void>',
};

const draft = 'editing.edit';
const published = 'lifecycle.nextVersion';
/** The method of the engine whose example needs the same state of the policy. */
const likeEngine: Readonly<Record<string, string>> = {
  'client.requests': 'requests.reject',
  'policy.check': draft,
  'policy.definition': draft,
  'policy.delete': draft,
  'policy.dryRun': draft,
  'policy.edit': draft,
  'policy.edits': draft,
  'policy.replace': draft,
  'policy.undo': draft,
  'policy.discontinue': published,
  'policy.nextVersion': published,
  'policy.offer': published,
  'policy.mintBundle': 'tokens.bundle',
};
/** Of a user of the trial, not of its owner. */
const ofAlice: ReadonlySet<string> = new Set(['block.read', 'block.send', 'policy.groups', 'policy.switchGroup']);

async function perform(name: string, run: (values: Around) => Promise<void>): Promise<void> {
  const world = await around(likeEngine[name] ?? '');
  const { engine, owner, alice, policyId } = world;
  const secret = new TextEncoder().encode('an example of a secret of 32 bytes');
  const handler = createPolicyHandler(engine, { auth: { secret } });
  const sendAsAlice = (): Promise<unknown> =>
    engine.sendToBlock(alice, policyId, { tag: 'form' }, { document: { value: 4 }, ref: null });
  const clientOf = (actAs: object): Client =>
    createClient({
      url: 'http://localhost',
      token: signDevelopmentToken(secret, owner),
      ...actAs,
      // Whoever listens hears of something that happens afterwards.
      fetch: async (request) => {
        const response = await handler(request);
        if (/\/events($|\?)/.test(request.url)) await sendAsAlice();
        return response;
      },
    });
  const file = likeEngine[name] === published ? new Uint8Array() : await clientOf({}).policy(policyId).export();
  const webhook =
    likeEngine[name] === undefined
      ? await engine.webhooks.register(owner, policyId, { url: 'https://hooks.example.org/in' })
      : { id: '' };
  const listening = new AbortController();
  const calls = new Set<string>();
  const plain = clientOf(ofAlice.has(name) ? { actAs: alice.did } : {});
  const policy = watched(plain.policy(policyId), 'policy', calls, { kinds: { block: 'block' } });
  await run({
    alert: () => undefined,
    client: watched(plain, 'client', calls),
    did: alice.did,
    documentId: world.documentId,
    entryId: world.entryId,
    file,
    policy,
    policyId,
    presentationId: world.presentationId,
    readFile: () => Promise.resolve(file),
    schemaIri: world.schemaIri,
    show: () => listening.abort(),
    signal: listening.signal,
    statusIs,
    tokenId: world.tokenId,
    webhookId: webhook.id,
    writeFile: () => Promise.resolve(),
  }).finally(() => listening.abort());
  expect([...calls]).toContain(name);
}

const examplesOf = (type: string, holder: string, call: (name: string) => string): ExampleSuite['examples'] =>
  types.methods('client', type).map(({ name, example }) => ({ name: `${holder}.${name}`, example, call: call(name) }));

export const clientExamples: ExampleSuite<Around> = {
  holder: 'the client',
  examples: [
    ...examplesOf('Client', 'client', (name) => `client.${name}(`),
    ...examplesOf('PolicyClient', 'policy', (name) => `policy.${name}(`),
    ...examplesOf('BlockClient', 'block', (name) => `).${name}(`),
  ],
  names,
  perform,
};
