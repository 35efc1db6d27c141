/** The context of a block as its examples take it: in a block of a policy, in a read or in a send. */
import { createEngine, MemoryStore, silentLogger, type Caller, type PolicyEngine } from '@blockwork/core';
import {
  allOf,
  defineBlock,
  unitsOf,
  type DocumentInput,
  type DocumentRecord,
  type JsonObject,
  type ReadContext,
  type RunContext,
  type Selection,
} from '@blockwork/core/block';
import { block, keyHolder, SequentialIds, SimulatedClock, SimulatedTimers } from '@blockwork/testing';
import { expect, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { Example, ExampleSuite } from './example-suite.js';
import { types } from './types.js';
import { watched } from './watched.js';

const SCHEMA = '#00000000-0000-4000-8000-00000000aaaa';
const options = z.object({
  capacity: z.number(),
  certificateId: z.string(),
  schema: z.string(),
  tokenId: z.string(),
});
type Options = z.infer<typeof options>;
type Send = RunContext<Options, 'IssuedEvent'>;

/** What an example may find besides its context. */
interface Around {
  readonly account: string;
  readonly allOf: typeof allOf;
  readonly certificate: DocumentRecord;
  readonly credential: JsonObject;
  readonly did: string;
  readonly documentId: string;
  readonly fileId: string;
  readonly gridFactor: (region: string, headers: { readonly authorization: string }) => Promise<number>;
  readonly group: string;
  readonly invitation: string;
  readonly messageId: string;
  readonly reading: Reading;
  readonly readings: readonly Reading[];
  readonly selection: Selection;
  readonly topicId: string;
  readonly unitsOf: typeof unitsOf;
  readonly z: typeof z;
}
interface AroundBlock extends Around {
  readonly ctx: ReadContext<Options> | Send;
}
interface Reading {
  readonly meter: string;
  readonly kWh: number;
}

const names: Record<keyof Around, string> = {
  account: 'string',
  allOf: "typeof import('@blockwork/core/block').allOf",
  certificate: "import('@blockwork/core/block').DocumentRecord",
  credential: "import('@blockwork/core/block').JsonObject",
  did: 'string',
  documentId: 'string',
  fileId: 'string',
  gridFactor: '(region: string, headers: { readonly authorization: string }) => Promise<number>',
  group: 'string',
  invitation: 'string',
  messageId: 'string',
  reading: '{ readonly meter: string; readonly kWh: number }',
  readings: 'readonly { readonly meter: string; readonly kWh: number }[]',
  selection: "import('@blockwork/core/block').Selection",
  topicId: 'string',
  unitsOf: "typeof import('@blockwork/core/block').unitsOf",
  z: "typeof import('zod').z",
};
const head = "import type { DocumentRow } from '@blockwork/core/block';";
const optionsType = '{ capacity: number; certificateId: string; schema: string; tokenId: string }';

const certificates: Selection = {
  sources: [{ tag: 'source', where: { path: 'type', op: 'eq', value: 'certificate' } }],
};

/** A grid, the block that runs the examples, and the addons in it. */
const blockTypes = (work: {
  read: (ctx: ReadContext<Options>) => Promise<void>;
  send: (ctx: Send) => Promise<void>;
}) => [
  defineBlock({
    type: 'exampleGrid',
    title: 'Grid',
    description: 'Shows certificates.',
    kind: 'interface',
    children: 'any',
    select: () => certificates,
    read: () => ({}),
  }),
  defineBlock({
    type: 'exampleBlock',
    title: 'Example',
    description: 'Runs an example.',
    kind: 'interface',
    children: 'any',
    options,
    outputs: ['IssuedEvent'],
    async read(ctx) {
      await work.read(ctx);
      return {};
    },
    receive: (ctx) => work.send(ctx),
  }),
  defineBlock({
    type: 'exampleAddon',
    title: 'Addon',
    description: 'Narrows, pages, enriches, answers and assists.',
    kind: 'addon',
    answer: () => 0.42,
    assist: (_, input) => input,
    enrich: (_, rows) => rows.map((row) => ({ ...row, co2: 1.2 })),
    narrow: () => ({ path: 'option.status', op: 'eq', value: 'Approved' }),
    page: () => ({ page: 1, itemsPerPage: 5 }),
  }),
];

const policyNamed = (name: string) => ({
  name,
  policyTag: name,
  policyRoles: ['Installer', 'Verifier'],
  policyTopics: [{ name: 'Project', type: 'any', static: false }],
  policyTokens: [{ templateTokenTag: 'certificate', tokenName: 'Certificate', tokenSymbol: 'MWH' }],
  policyGroups: [
    {
      name: 'Installers',
      creator: 'Installer',
      members: ['Installer', 'Verifier'],
      groupRelationshipType: 'Multiple',
      groupAccessType: 'Private',
    },
  ],
  schemas: [{ iri: SCHEMA, name: 'Certificate', document: { $id: SCHEMA, type: 'object', properties: { mWh: {} } } }],
  tokens: [
    { tokenId: '0.0.77', tokenName: 'MWh', tokenSymbol: 'MWH', tokenType: 'fungible', decimals: 2 },
    { tokenId: '0.0.78', tokenName: 'Certificate', tokenSymbol: 'C', tokenType: 'non-fungible', decimals: 0 },
  ],
  config: block('interfaceContainerBlock', 'root', {
    permissions: ['ANY_ROLE', 'NO_ROLE'],
    children: [
      block('exampleGrid', 'certificates', {
        permissions: ['ANY_ROLE', 'NO_ROLE'],
        children: [
          block('exampleBlock', 'report_form', {
            permissions: ['ANY_ROLE', 'NO_ROLE'],
            ...{ capacity: 1000, certificateId: '0.0.78', schema: SCHEMA, tokenId: '0.0.77' },
            children: [block('exampleAddon', 'addon', { permissions: ['ANY_ROLE', 'NO_ROLE'] })],
          }),
        ],
      }),
    ],
  }),
});

/** Policies on an engine, and work that is done in a block of one of them. */
class Policies {
  readonly #clock = new SimulatedClock();
  readonly #work = {
    read: async (_: ReadContext<Options>): Promise<void> => undefined,
    send: async (_: Send): Promise<void> => undefined,
  };
  readonly owner: Caller = { did: 'did:example:registry', role: 'STANDARD_REGISTRY' };
  readonly engine: PolicyEngine = createEngine({
    blocks: blockTypes({ read: (ctx) => this.#work.read(ctx), send: (ctx) => this.#work.send(ctx) }),
    clock: this.#clock,
    ids: new SequentialIds(),
    logger: silentLogger,
    secrets: { get: () => Promise.resolve('s3cret') },
    store: new MemoryStore(),
    timers: new SimulatedTimers(this.#clock),
  });

  /** A policy in a trial, and the id of a file in it. */
  async open(name: string): Promise<{ readonly policyId: string; readonly fileId: string }> {
    const { policy } = await this.engine.importPolicy(this.owner, policyNamed(name));
    const factors = { name: 'factors', extension: 'json', content: new TextEncoder().encode('{"north":0.42}') };
    const [file] = await this.engine.editing.addFiles(this.owner, policy.id, [factors]);
    await this.engine.lifecycle.dryRun(this.owner, policy.id);
    return { policyId: policy.id, fileId: file?.id ?? '' };
  }

  async user(policyId: string, name: string): Promise<Caller> {
    const { did } = await this.engine.trials.addUser(this.owner, policyId, name);
    return this.engine.trials.caller(this.owner, policyId, did);
  }

  /** A meter that this user has registered. */
  async meterOf(user: Caller): Promise<string> {
    const meter = await keyHolder('meter', this.#clock);
    await this.engine.identities.register(user, { registration: await meter.registration(user.did) });
    return meter.did;
  }

  async read(user: Caller, policyId: string, work: (ctx: ReadContext<Options>) => Promise<void>): Promise<void> {
    this.#work.read = work;
    await this.engine.readBlock(user, policyId, { tag: 'report_form' });
  }

  async send<Result>(user: Caller, policyId: string, work: (ctx: Send) => Promise<Result>): Promise<Result> {
    const results: Result[] = [];
    this.#work.send = async (ctx) => {
      results.push(await work(ctx));
    };
    await this.engine.sendToBlock(user, policyId, { tag: 'report_form' }, {});
    return results[0] as Result;
  }
}

/** What blocks reach through their context. */
const reach = {
  members: [
    ...['policy', 'clock', 'state', 'documents', 'memberships', 'definitions', 'entries', 'users', 'ledger'],
    ...['credentials', 'notifications', 'secrets', 'streams', 'ids', 'budget'],
  ],
  kinds: { blockHandle: 'handle', children: 'handle', parent: 'handle' },
};

/** What the example of one method needs, that would be in the way of others. */
const before: Readonly<Record<string, (ctx: Send, account: string) => Promise<unknown>>> = {
  'ledger.unfreeze': (ctx, account) => ctx.ledger.freeze('0.0.77', account),
  'ledger.wipe': (ctx, account) => ctx.ledger.mint('0.0.77', account, 500n),
  'ledger.transfer': (ctx, account) => ctx.ledger.mint('0.0.77', account, 500n),
  'ledger.wipeSerials': (ctx, account) => ctx.ledger.mint('0.0.78', account, 5n),
  'users.byKey': (ctx) => ctx.entries.put({ id: ctx.user.did, key: ctx.user.key, value: 'approve' }),
  'documents.remove': (ctx) => ctx.documents.add({ owner: ctx.user.did, type: 'draft', document: { kWh: 1 } }),
};

async function perform(
  kind: 'read' | 'send',
  method: string,
  run: (values: AroundBlock) => Promise<void>,
): Promise<void> {
  const policies = new Policies();
  onTestFinished(() => policies.engine.close());
  const other = await policies.open('Registry');
  const topicId = await policies.send(policies.owner, other.policyId, async (ctx) => {
    const message = { topic: 'root', type: 'vc-document', owner: ctx.user.did };
    return (await ctx.ledger.publish(message)).topicId;
  });
  const { policyId, fileId } = await policies.open('Certificates');
  const [alice, bob] = [await policies.user(policyId, 'Alice'), await policies.user(policyId, 'Bob')];
  const meter = await policies.meterOf(alice);

  const group = await policies.send(
    alice,
    policyId,
    async (ctx) => (await ctx.memberships.takeRole('Installer')).group,
  );
  const toBob = await policies.send(alice, policyId, (ctx) => ctx.memberships.invite(group ?? '', 'Verifier'));
  const own = await policies.send(bob, policyId, async (ctx) => (await ctx.memberships.takeRole('Verifier')).group);
  await policies.send(bob, policyId, (ctx) => ctx.memberships.join(toBob));
  const invitation = await policies.send(bob, policyId, (ctx) => ctx.memberships.invite(own ?? '', 'Installer'));
  const written = await policies.send(alice, policyId, async (ctx) => {
    const account = (await ctx.users.account(ctx.user.did)) ?? '';
    await ctx.ledger.associate('0.0.77', account);
    const credential = await ctx.credentials.issue({
      issuer: ctx.policy.owner,
      subject: { type: 'Certificate', mWh: 1 },
    });
    const hash = ctx.credentials.hash(credential);
    const message = { topic: 'root', type: 'vc-document', owner: ctx.user.did, hash };
    const { id: messageId } = await ctx.ledger.publish(message);
    const option = { status: 'New' };
    const input: DocumentInput = {
      owner: ctx.user.did,
      type: 'certificate',
      document: credential,
      messageId,
      hash,
      option,
    };
    const certificate = await ctx.documents.add(input);
    await ctx.entries.put({ id: certificate.id, key: certificate.id, value: 'approve' });
    await before[method]?.(ctx, account);
    return { account, credential, certificate, messageId };
  });
  const { certificate } = written;
  if (method === 'ledger.associate') {
    await policies.send(alice, policyId, (ctx) => ctx.ledger.dissociate('0.0.77', written.account));
  }
  await policies.send(alice, policyId, (ctx) =>
    ctx.documents.update({ ...certificate, option: { status: 'Approved' } }),
  );

  const around: Around = {
    ...written,
    ...{ allOf, unitsOf, z, topicId, fileId, invitation },
    did: bob.did,
    documentId: certificate.id,
    gridFactor: () => Promise.resolve(0.42),
    group: group ?? '',
    reading: { meter, kWh: method === 'warn' ? 0 : 1250 },
    readings: [1, 2, 3].map((kWh) => ({ meter, kWh })),
    selection: certificates,
  };
  const calls = new Set<string>();
  const work = (ctx: ReadContext<Options> | Send): Promise<void> =>
    run({ ...around, ctx: watched(ctx, '', calls, reach) });
  await policies[kind](alice, policyId, work).finally(() => expect([...calls]).toContain(method));
}

const throwing: Readonly<Record<string, string>> = { fail: 'INPUT_INVALID' };
const examplesOf = (type: string, except: readonly Example[] = []): Example[] =>
  types
    .methods('core/block', type)
    .filter(({ name }) => !except.some((other) => other.name === name))
    .map(({ name, example }) => {
      const throws = throwing[name];
      return { name, example, call: `ctx.${name}(`, ...(throws !== undefined && { throws }) };
    });

const ofReads = examplesOf('ReadContext');
const ofHandles = types
  .methods('core/block', 'BlockHandle')
  .map(({ name, example }) => ({ name: `handle.${name}`, example, call: `.${name}(` }));

/** Of what blocks reach in reads, of what they reach in sends only, and of other blocks. */
export const blockExamples: readonly ExampleSuite[] = [
  { holder: 'a ReadContext', examples: ofReads, ...during('read') },
  { holder: 'a RunContext', examples: examplesOf('RunContext', ofReads), ...during('send') },
  { holder: 'a BlockHandle', examples: ofHandles, ...during('read') },
];

function during(kind: 'read' | 'send'): Omit<ExampleSuite<AroundBlock>, 'holder' | 'examples'> {
  const context = kind === 'read' ? `ReadContext<${optionsType}>` : `RunContext<${optionsType}, 'IssuedEvent'>`;
  return {
    names: { ...names, ctx: `import('@blockwork/core/block').${context}` },
    head,
    perform: (method, run) => perform(kind, method, run),
  };
}
