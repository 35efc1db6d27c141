/** Contract tests: what clients of the reference read of each answer, held against schemas of it. */
import { interfaceDocumentsSourceBlock, type BlockType, type Json, type JsonObject } from '@blockwork/core/block';
import { blockBench, type BenchSetup } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { standardBlocks } from '../src/index.js';
import { ANN, credential } from './documents.js';
import { FARM, schemas } from './farm-schemas.js';
import { signedBench, TOKEN } from './signed-documents.js';

const types = new Map(standardBlocks().map((type) => [type.type, type]));
const typeNamed = (name: string): BlockType => types.get(name) ?? interfaceDocumentsSourceBlock;

const heading = { id: z.uuid(), blockType: z.string(), actionType: z.literal('local'), readonly: z.boolean() };
const answer = (members: z.ZodRawShape) => z.looseObject({ ...heading, ...members });
const object = z.record(z.string(), z.json());
const slot = z.object({ id: z.uuid(), blockType: z.string(), uiMetaData: object });
const row = z.looseObject({
  _id: z.string(),
  id: z.string(),
  policyId: z.string(),
  createDate: z.iso.datetime(),
  updateDate: z.iso.datetime(),
  owner: z.string(),
  document: object,
  messageIds: z.array(z.string()),
  option: z.looseObject({ status: z.json() }).or(object),
});
const mintRow = row.extend({
  serials: z.array(z.object({ serial: z.number(), tokenId: z.string() })),
  amount: z.number(),
  transferSerials: z.array(z.json()),
  transferAmount: z.number(),
  wasTransferNeeded: z.boolean(),
  tokenIds: z.array(z.string()),
  error: z.literal(''),
  status: z.string(),
});
const field: z.ZodType = z.looseObject({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  type: z.string().nullable(),
  format: z.string().nullable(),
  pattern: z.string().nullable(),
  unit: z.string().nullable(),
  unitSystem: z.string().nullable(),
  isArray: z.boolean(),
  isRef: z.boolean(),
  readOnly: z.boolean(),
  required: z.boolean(),
  get fields() {
    return z.array(field).nullable();
  },
  conditions: z.array(z.json()).nullable(),
  context: z.object({ type: z.string(), context: z.array(z.string()) }).nullable(),
  customType: z.string().nullable(),
  hidden: z.boolean(),
  order: z.number(),
});
const formSchema = z.looseObject({
  iri: z.string(),
  type: z.string(),
  name: z.string(),
  contextURL: z.string().min(1),
  context: object,
  document: object,
  fields: z.array(field),
  conditions: z.array(z.json()),
  ...Object.fromEntries(
    ['hash', 'description', 'version', 'creator', 'owner', 'topicId', 'messageId', 'documentURL'].map((name) => [
      name,
      z.string(),
    ]),
  ),
});

/** Blocks that answer alone: their options, and what is read of their answer beside the heading. */
const alone: readonly [string, JsonObject, z.ZodRawShape][] = [
  [
    'requestVcDocumentBlock',
    { schema: FARM },
    {
      schema: formSchema,
      presetSchema: z.string(),
      presetFields: z.array(z.json()),
      uiMetaData: object,
      hideFields: z.array(z.json()),
      data: z.null(),
      restoreData: z.null(),
      active: z.literal(true),
    },
  ],
  ['uploadVcDocumentBlock', { schema: FARM }, { schema: formSchema, uiMetaData: object }],
  [
    'buttonBlock',
    { type: 'selector', uiMetaData: { buttons: [] } },
    { type: z.string(), uiMetaData: object, user: z.string() },
  ],
  [
    'interfaceActionBlock',
    { type: 'dropdown', name: 'a', value: 'b' },
    {
      type: z.literal('dropdown'),
      name: z.string(),
      value: z.string(),
      options: z.array(z.object({ name: z.json(), value: z.json() })),
      uiMetaData: object,
    },
  ],
  ['multiSignBlock', { threshold: 50 }, { type: z.string(), uiMetaData: object, user: z.string() }],
  ['groupManagerBlock', {}, { data: z.array(z.json()) }],
  ['reportBlock', {}, { hash: z.null(), uiMetaData: object, data: z.null() }],
  ['messagesReportBlock', {}, {}],
  ['externalTopicBlock', { schema: FARM }, {}],
  ['transformationUIAddon', {}, { expression: z.string() }],
  ['httpRequestUIAddon', {}, { method: z.string(), url: z.string(), headers: z.array(z.json()) }],
  ['ipfsTransformationUIAddon', {}, { transformationType: z.string(), ipfsGatewayTemplate: z.string() }],
  ['transformationButtonBlock', {}, { type: z.string(), uiMetaData: object, user: z.string(), buttonName: z.string() }],
];

const read = (type: string, options: JsonObject, setup: BenchSetup = {}): Promise<Json> =>
  blockBench(typeNamed(type), { options, policy: { schemas }, ...setup })
    .as(ANN)
    .read();

describe('the answer of', () => {
  it.each(alone)('%s has what clients read', async (type, options, members) => {
    answer(members).parse(await read(type, options));
  });

  it('interfaceDocumentsSourceBlock has rows, slots and columns that clients read', async () => {
    const grid = await read(
      'interfaceDocumentsSourceBlock',
      { uiMetaData: { fields: [] } },
      {
        children: [{ blockType: 'documentsSourceAddon', tag: 'rows', dataType: 'vc-documents' }],
        documents: [credential('a', ANN.did)],
      },
    );
    const { data } = answer({
      data: z.array(row.extend({ __sourceTag__: z.string() })).length(1),
      blocks: z.array(slot),
      commonAddons: z.array(slot),
      viewHistory: z.boolean(),
      fields: z.array(z.json()),
    }).parse(grid);
    expect(data).toMatchObject([{ _id: 'a', messageIds: ['1.a'], option: { status: 'NEW' } }]);
  });
});

const part = (more: z.ZodRawShape) =>
  z.looseObject({ type: z.string(), tag: z.string(), issuer: z.string(), username: z.string(), ...more });
const bare = z.object({
  owner: z.null(),
  hash: z.null(),
  type: z.null(),
  policyId: z.null(),
  tag: z.null(),
  option: z.null(),
  document: object,
});
const smallReport = {
  vpDocument: part({ title: z.string(), hash: z.string(), document: mintRow }),
  mintDocument: part({
    tokenId: z.string(),
    date: z.string(),
    expected: z.string(),
    amount: z.string(),
    transferAmount: z.string(),
    wasTransferNeeded: z.boolean(),
    document: bare,
  }),
};
const item = z.looseObject({
  type: z.literal('VC'),
  icon: z.string(),
  iconType: z.string(),
  title: z.string(),
  description: z.string(),
  visible: z.boolean(),
  multiple: z.boolean(),
  dynamicFilters: z.array(z.json()),
  notFoundDocuments: z.boolean(),
});
const report = z.looseObject({
  ...smallReport,
  vcDocument: z.null(),
  impacts: z.array(part({ document: bare })).nullable(),
  additionalDocuments: z.array(z.looseObject(smallReport)).optional(),
  policyDocument: part({
    name: z.string(),
    description: z.string(),
    version: z.string(),
    tag: z.literal('Policy Created'),
    document: row,
  }).nullable(),
  policyCreatorDocument: z.null(),
  documents: z.array(item),
});

describe('a trust chain', () => {
  const mint = (tag: string, more: JsonObject = {}) => ({
    blockType: 'mintDocumentBlock',
    tag,
    tokenId: TOKEN,
    rule: 'n',
    stopPropagation: true,
    ...more,
  });
  const items = [false, true].map((multiple) => ({
    blockType: 'reportItemBlock',
    tag: multiple ? 'all' : 'one',
    title: 'Requests',
    multiple,
    filters: [{ type: 'equal', typeValue: 'value', field: 'type', value: 'request' }],
  }));
  const nothing = {
    ...items[0],
    tag: 'none',
    filters: [{ type: 'equal', typeValue: 'value', field: 'type', value: 'x' }],
  };
  const chain = () =>
    signedBench(typeNamed('reportBlock'), {
      parent: {
        blockType: 'interfaceContainerBlock',
        children: [
          mint('first', {
            events: [
              { source: 'first', output: 'RunEvent', target: 'second', input: 'AdditionalMintEvent', actor: '' },
            ],
          }),
          mint('second'),
        ],
      },
      children: [...items, nothing] as never,
      blocks: standardBlocks().filter(({ type }) => type !== 'reportBlock'),
    });

  it('has a stored row in every part, in a trial as well, and both ends of what builds on each other', async () => {
    const bench = chain();
    const { engine, policyId, owner } = await bench.open();
    const named = { ...owner, username: 'The registry' };
    expect(await engine.lifecycle.dryRun(named, policyId)).toMatchObject({ isValid: true });
    const [request] = await bench.signed('ann', { subject: { n: 2 }, type: 'request', tag: 'sent' });
    await bench
      .as('OWNER')
      .at('first')
      .event('RunEvent', request as unknown as Json);
    const presentations = (await bench.documents()).filter(({ dataType }) => dataType === 'vp-documents');
    expect(presentations).toHaveLength(2);
    for (const { hash = '' } of presentations) {
      const { data } = (await bench.as('OWNER').read({ hash })) as { data: JsonObject };
      const shown = report.parse(data);
      expect(shown.additionalDocuments).toHaveLength(1);
      expect(shown.policyDocument).toMatchObject({
        version: 'Dry Run',
        username: 'The registry',
        document: { type: 'POLICY', dataType: 'vc-documents' },
      });
      expect(shown.vpDocument.username).toBe('did:bench:ann');
      expect(shown.documents).toMatchObject([
        { multiple: false, tag: 'sent', issuer: 'did:bench:ann', document: { _id: request?.id, document: {} } },
        { multiple: true, document: [{ tag: 'sent', username: 'did:bench:ann', document: { _id: request?.id } }] },
        { notFoundDocuments: true, document: null },
      ]);
      expect(shown.documents[0]).not.toHaveProperty('documents');
    }
  });
});
