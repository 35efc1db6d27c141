/** Contract tests: what clients of the reference read of each answer, held against schemas of it. */
import * as core from '@blockwork/core/block';
import type { BlockType, Json, JsonObject } from '@blockwork/core/block';
import { blockBench, type BenchSetup } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { standardBlocks } from '../src/index.js';
import { ANN, credential } from './documents.js';
import { FARM, schemas } from './farm-schemas.js';
import { signedBench, TOKEN } from './signed-documents.js';

const interfaceTypes = [
  ...Object.values(core).filter((each): each is BlockType => typeof each === 'object' && 'kind' in each),
  core.paginationAddon(),
];
const types = new Map([...interfaceTypes, ...standardBlocks()].map((type) => [type.type, type]));
function typeNamed(name: string): BlockType {
  const type = types.get(name);
  if (type === undefined) throw new Error(`There is no block type "${name}".`);
  return type;
}

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

/** A child of a container, or nothing where it is not open. */
const child = z.object({ id: z.uuid(), blockType: z.string(), content: z.string(), uiMetaData: object }).nullable();
const container = { uiMetaData: object, blocks: z.array(child) };
const text = { blockType: 'informationBlock', tag: 'text', permissions: ['ANY_ROLE'], defaultActive: true };
const hidden = { ...text, tag: 'hidden', permissions: ['OWNER'] };
const source = { blockType: 'documentsSourceAddon', tag: 'rows', dataType: 'vc-documents' };
const inGrid = { parent: { blockType: 'interfaceDocumentsSourceBlock', tag: 'grid', children: [source] } };

/** Blocks that answer alone: their options, what is read of their answer beside the heading, and what stands around them. */
const alone: readonly (readonly [string, JsonObject, z.ZodRawShape, BenchSetup?])[] = [
  [
    'interfaceContainerBlock',
    {},
    { ...container, blocks: z.tuple([child.unwrap(), z.null()]) },
    { children: [text, hidden] },
  ],
  ['interfaceStepBlock', {}, { ...container, index: z.number() }, { children: [text, hidden] }],
  ['module', {}, container, { children: [text] }],
  ['tool', { messageId: '1.1', hash: 'x' }, container],
  [
    'informationBlock',
    { uiMetaData: { type: 'text', title: 'x' } },
    { uiMetaData: z.object({ type: z.string(), title: z.string() }) },
  ],
  [
    'policyRolesBlock',
    { roles: ['Farmer'] },
    {
      roles: z.array(z.string()),
      groups: z.array(z.string()),
      groupMap: object,
      isMultipleGroups: z.boolean(),
      uiMetaData: object,
    },
  ],
  [
    'filtersAddon',
    { type: 'dropdown', optionName: 'id', optionValue: 'id', uiMetaData: { content: 'x' } },
    {
      type: z.literal('dropdown'),
      uiMetaData: object,
      canBeEmpty: z.boolean(),
      data: z.array(z.object({ name: z.json(), value: z.json() })),
      optionName: z.string(),
      optionValue: z.string(),
      filterValue: z.null(),
    },
    inGrid,
  ],
  [
    'buttonBlockAddon',
    { name: 'Press' },
    {
      name: z.string(),
      uiClass: z.string(),
      dialog: z.boolean(),
      hideWhenDiscontinued: z.boolean(),
      dialogOptions: z.object({
        dialogTitle: z.string(),
        dialogDescription: z.string(),
        dialogResultFieldPath: z.string(),
      }),
    },
    inGrid,
  ],
  [
    'dropdownBlockAddon',
    { optionName: 'id', optionValue: 'id', field: 'option.to' },
    { documents: z.array(z.object({ name: z.json(), optionValue: z.json(), value: z.string() })).min(1) },
    { ...inGrid, children: [{ ...source, tag: 'choices' }], documents: [credential('a', ANN.did)] },
  ],
  ['requestVcDocumentBlockAddon', { schema: FARM }, { schema: formSchema, presetFields: z.array(z.json()) }, inGrid],
  ['dataTransformationAddon', { expression: 'done(1)' }, { data: z.literal(1) }, inGrid],
  ['tagsManager', {}, { tagSchemas: z.array(formSchema) }, inGrid],
  [
    'integrationButtonBlock',
    { requestName: 'x' },
    { integrationType: z.string(), requestName: z.string(), buttonName: z.string(), hideWhenDiscontinued: z.boolean() },
  ],
  [
    'tokenConfirmationBlock',
    { action: 'associate' },
    {
      action: z.literal('associate'),
      accountId: z.string().nullish(),
      tokenName: z.string().nullish(),
      tokenSymbol: z.string().nullish(),
      tokenId: z.string().nullish(),
    },
  ],
  [
    'createTokenBlock',
    { template: 'Credit' },
    { uiMetaData: object, active: z.boolean(), data: z.looseObject({ tokenName: z.string() }) },
    { policy: { schemas, policyTokens: [{ templateTokenTag: 'Credit', tokenName: 'Credit', decimals: '' }] } },
  ],
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
  [
    'globalEventsWriterBlock',
    { topicIds: [{ topicId: '0.0.7001' }] },
    {
      config: object,
      streams: z
        .array(z.object({ globalTopicId: z.string(), documentType: z.string(), active: z.boolean() }))
        .length(1),
      defaultTopicIds: z.array(z.string()),
      showNextButton: z.boolean(),
      documentTypeOptions: z.array(z.object({ label: z.string(), value: z.string() })),
      userId: z.string(),
      userDid: z.string(),
    },
  ],
  [
    'globalEventsReaderBlock',
    { eventTopics: [{ topicId: '0.0.7001' }], branches: [{ branchEvent: 'farms', schema: FARM }] },
    {
      streams: z
        .array(
          z.looseObject({
            globalTopicId: z.string(),
            active: z.boolean(),
            status: z.enum(['FREE', 'PROCESSING', 'ERROR']),
            lastMessageCursor: z.string(),
            filterFieldsByBranch: object,
            branchDocumentTypeByBranch: object,
          }),
        )
        .length(1),
    },
  ],
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
  it.each(alone.map(([type, options, members, setup = {}]) => ({ type, options, members, setup })))(
    '$type has what clients read',
    async ({ type, options, members, setup }) => {
      answer(members).parse(await read(type, options, setup));
    },
  );

  it('paginationAddon has three numbers and nothing else', async () => {
    const numbers = z.strictObject({ size: z.number(), itemsPerPage: z.number(), page: z.number() });
    numbers.parse(await read('paginationAddon', {}, inGrid));
  });

  it('every block type that can be read is held here', () => {
    const answering = [...alone.map(([type]) => type), 'interfaceDocumentsSourceBlock', 'paginationAddon'].sort();
    const readable = [...types.values()].filter((type) => type.read !== undefined).map(({ type }) => type);
    expect(answering).toEqual(readable.sort());
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
