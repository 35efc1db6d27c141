/** The OpenAPI document of one policy: valid, true to what its blocks take, and no more than the caller may see. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { standardBlocks } from '@blockwork/blocks';
import { policyOpenApiDocument, type OpenApiDocument } from '@blockwork/contract';
import { createEngine, readPolicy, type Caller } from '@blockwork/core';
import { createPolicyHandler } from '@blockwork/http-fetch';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleSubject } from '../library/sample-subject.js';
import { checkedFetch, type Fetch } from './support/checked-fetch.js';
import { bearer, openFetchWorld, owner, registrant, rules, secret, stranger } from './support/world.js';

interface Operation {
  readonly operationId: string;
  readonly 'x-roles': string[];
  readonly tags: string[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: object }> };
}
type Paths = Record<string, Record<string, Operation>>;

const problemsOf = async (document: OpenApiDocument): Promise<unknown> =>
  (await new Validator().validate(structuredClone(document))).errors;

/** References to components that are not there, and components that nothing refers to. */
function looseEnds(document: OpenApiDocument): string[] {
  const named = Object.entries(document.components).flatMap(([kind, members]) =>
    kind === 'securitySchemes' ? [] : Object.keys(members).map((name) => `#/components/${kind}/${name}`),
  );
  const used = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference ?? '');
  return [...named.filter((name) => !used.includes(name)), ...used.filter((name) => !named.includes(name))];
}

const iri = '#1b5f2ae1-0000-4000-8000-000000000001';
const siteIri = '#1b5f2ae1-0000-4000-8000-000000000002';
const everywhere = { defaultActive: true };
const reporting = {
  id: 'reporting',
  name: 'Reporting',
  policyRoles: ['Farmer', 'Checker'],
  schemas: [
    {
      iri,
      name: 'Error',
      document: {
        $id: iri,
        type: 'object',
        properties: {
          type: { type: 'string', readOnly: true },
          harvest: { type: 'number', title: 'Harvest (t)' },
          crop: { type: 'string', enum: ['rye', 'oats'] },
          site: { $ref: siteIri },
        },
        required: ['type', 'harvest', 'site'],
        additionalProperties: false,
        $defs: {
          [siteIri]: {
            $id: siteIri,
            title: 'Site',
            type: 'object',
            properties: { place: { type: 'string' } },
            required: ['place'],
            additionalProperties: false,
          },
        },
      },
    },
  ],
  config: {
    ...everywhere,
    blockType: 'interfaceContainerBlock',
    tag: 'root',
    permissions: ['ANY_ROLE'],
    children: [
      {
        ...everywhere,
        blockType: 'policyRolesBlock',
        tag: 'join',
        permissions: ['NO_ROLE'],
        roles: ['Farmer', 'Checker'],
      },
      { ...everywhere, blockType: 'requestVcDocumentBlock', tag: 'report {new}', permissions: ['Farmer'], schema: iri },
      {
        ...everywhere,
        blockType: 'interfaceDocumentsSourceBlock',
        tag: 'reports',
        permissions: ['Checker', 'OWNER'],
        children: [
          {
            blockType: 'documentsSourceAddon',
            tag: 'all',
            permissions: ['ANY_ROLE'],
            dataType: 'vc-documents',
            schema: iri,
          },
          { ...everywhere, blockType: 'paginationAddon', tag: 'pages', permissions: ['ANY_ROLE'] },
          { blockType: 'paginationAddon', tag: 'off', permissions: ['ANY_ROLE'], defaultActive: false },
        ],
      },
      {
        ...everywhere,
        blockType: 'buttonBlock',
        tag: 'decide',
        permissions: ['Checker'],
        uiMetaData: { buttons: [{ tag: 'Approve', name: 'Approve', field: 'option.status', value: 'Approved' }] },
      },
    ],
  },
};

describe('of a policy that is here', () => {
  const engine = createEngine({ blocks: standardBlocks(), drafts: 'shared' });
  let ask: Fetch;
  let document: OpenApiDocument;

  const openApi = async (caller: Caller, policyId = 'reporting'): Promise<Response> =>
    ask(`http://here/api/v1/policies/${policyId}/openapi.json`, { headers: { authorization: bearer(caller) } });
  const documentFor = async (caller: Caller): Promise<OpenApiDocument> =>
    (await (await openApi(caller)).json()) as never;
  const operationsIn = ({ paths }: OpenApiDocument): Operation[] =>
    Object.values(paths as unknown as Paths).flatMap((each) => Object.values(each));
  const send = async (caller: Caller, tag: string, body: unknown): Promise<number> =>
    (
      await ask(`http://here/api/v1/policies/reporting/tag/${encodeURIComponent(tag)}/blocks`, {
        method: 'POST',
        headers: { authorization: bearer(caller), 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).status;

  beforeAll(async () => {
    const handler = createPolicyHandler(engine, { auth: { secret, ...rules } });
    ask = checkedFetch((url, init) => handler(new Request(url, init)));
    await engine.importPolicy(owner, reporting);
    await engine.lifecycle.dryRun(owner, 'reporting');
    expect(await send(registrant, 'join', { role: 'Farmer' })).toBe(200);
    document = await documentFor(owner);
  });
  afterAll(() => engine.close());

  it('is valid, and complete in itself', async () => {
    expect(await problemsOf(document)).toBeUndefined();
    expect(looseEnds(document)).toEqual([]);
    expect(document).toMatchObject({ info: { title: 'Reporting' } });
  });

  it('names for its owner every role that may call a block', () => {
    const roles = Object.fromEntries(operationsIn(document).map((each) => [each.operationId, each['x-roles']]));
    expect(roles).toEqual({
      readRoot: ['OWNER', 'NO_ROLE', 'Farmer', 'Checker'],
      readJoin: ['NO_ROLE'],
      sendJoin: ['NO_ROLE'],
      readReportNew: ['Farmer'],
      sendReportNew: ['Farmer'],
      readReports: ['OWNER', 'Checker'],
      sendReports: ['OWNER', 'Checker'],
      sendAll: ['OWNER', 'Checker'],
      readPages: ['OWNER', 'Checker'],
      sendPages: ['OWNER', 'Checker'],
      readDecide: ['Checker'],
      sendDecide: ['Checker'],
    });
    for (const { tags, 'x-roles': named } of operationsIn(document)) expect(tags).toEqual(named);
  });

  it('has for others what is for their roles, and none of the schemas behind the rest', async () => {
    const forFarmer = await documentFor(registrant);
    expect(operationsIn(forFarmer).map(({ operationId }) => operationId)).toEqual([
      'readRoot',
      'readReportNew',
      'sendReportNew',
    ]);
    expect(JSON.stringify(forFarmer)).not.toContain('Checker');
    const forStranger = await documentFor(stranger);
    expect(operationsIn(forStranger).map(({ operationId }) => operationId)).toEqual([
      'readRoot',
      'readJoin',
      'sendJoin',
    ]);
    expect(JSON.stringify(forStranger)).not.toContain('harvest');
    for (const each of [forFarmer, forStranger]) {
      expect(await problemsOf(each)).toBeUndefined();
      expect(looseEnds(each)).toEqual([]);
    }
  });

  it.each([
    [{ document: { harvest: 3, site: { place: 'Hof' } } }, 200],
    [{ document: { harvest: 3, crop: 'rye', site: { place: 'Hof' } }, ref: null }, 200],
    [{ document: { harvest: 'much', site: { place: 'Hof' } } }, 422],
    [{ document: { harvest: 3, site: {} } }, 422],
    [{ document: { site: { place: 'Hof' } } }, 422],
    [{ document: { harvest: 3, crop: 'tulips', site: { place: 'Hof' } } }, 422],
    [{ document: 'all' }, 422],
    [{}, 422],
  ])('says of a form what the form takes: %j', async (body, status) => {
    const path = '/api/v1/policies/reporting/tag/report%20%7Bnew%7D/blocks';
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    ajv.addSchema({ $id: 'document', ...document });
    const at = `${path.replaceAll('/', '~1').replaceAll('%', '%25')}/post/requestBody/content/application~1json/schema`;
    const isDescribed = ajv.getSchema(`document#/paths/${at}`)?.(body);
    expect([isDescribed, await send(registrant, 'report {new}', body)]).toEqual([status === 200, status]);
  });

  it('keeps its own schemas apart from those of the interface that are called the same', () => {
    const { schemas } = document.components as { schemas: Record<string, { properties: object }> };
    expect(Object.keys(schemas['Error']?.properties ?? {})).toContain('message');
    expect(Object.keys(schemas['Error_document']?.properties ?? {})).toEqual(['harvest', 'crop', 'site']);
  });

  it('is not given without permission, nor of a policy that is not here', async () => {
    expect((await openApi({ did: 'did:example:x', permissions: [] })).status).toBe(403);
    expect((await openApi(owner, 'none')).status).toBe(404);
  });
});

it('is refused where it is larger than an answer may be', async () => {
  const world = await openFetchWorld({}, { limits: { pageBytes: 2000 } });
  const response = await world.call('GET', `/policies/${world.policyId}/openapi.json`);
  expect([response.status, await response.json()]).toMatchObject([413, { error: 'PAGE_TOO_LARGE' }]);
  await world.close();
});

it('names the paths as the server has them', async () => {
  const world = await openFetchWorld({ prefix: '/registry' });
  const response = await world.fetch(`http://localhost/registry/policies/${world.policyId}/openapi.json`, {
    headers: { authorization: bearer(owner) },
  });
  const { paths } = (await response.json()) as OpenApiDocument;
  expect(Object.keys(paths)).toContain(`/registry/policies/${world.policyId}/tag/grid/blocks`);
  await world.close();
});

it('has the answers that its blocks give, and no others', async () => {
  const root = { ...everywhere, blockType: 'interfaceContainerBlock', tag: 'root', permissions: ['ANY_ROLE'] };
  const policy = await readPolicy({ name: 'Looked at', config: root });
  const { blocks, schemas } = policy.interface();
  const ofBlocks = (change: object): OpenApiDocument =>
    policyOpenApiDocument({
      name: '',
      interface: { schemas, blocks: blocks.map((block) => ({ ...block, ...change })) },
    });
  const [readable, both, neither] = [ofBlocks({}), ofBlocks({ takes: {} }), ofBlocks({ shows: null })];
  for (const each of [readable, both]) expect(looseEnds(each)).toEqual([]);
  const responsesOf = ({ components }: OpenApiDocument): string[] => Object.keys(components['responses'] ?? {});
  expect(responsesOf(readable)).not.toContain('UnsupportedType');
  expect(responsesOf(both)).toContain('UnsupportedType');
  expect(responsesOf(neither)).toEqual([]);
});

const folder = process.env['BLOCKWORK_REAL_POLICIES'];
describe.skipIf(folder === undefined)('of the real policies (BLOCKWORK_REAL_POLICIES)', async () => {
  const files = folder === undefined ? [] : (await readdir(folder)).filter((name) => name.endsWith('.policy'));

  it.each(files)('%s is valid, and each form takes a sample of its schema', async (file) => {
    const policy = await readPolicy(await readFile(join(folder ?? '', file)), { blocks: standardBlocks() });
    const described = policy.interface();
    const document = policyOpenApiDocument({ name: policy.name, interface: described });
    expect(await problemsOf(document)).toBeUndefined();
    expect(looseEnds(document)).toEqual([]);
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    const forms = policy.tree.blocks.filter(({ blockType }) => blockType === 'requestVcDocumentBlock');
    for (const form of forms) {
      const { takes } = described.blocks.find(({ uuid }) => uuid === form.uuid) ?? {};
      const schema = policy.schemas.find(({ id }) => id === form.source['schema'])?.document;
      const sample = { document: sampleSubject(schema ?? {}) };
      const check = ajv.compile({ ...takes, $defs: described.schemas });
      expect({ form: form.tag, is: check(sample), errors: check.errors }).toEqual({
        form: form.tag,
        is: true,
        errors: null,
      });
    }
  });
});
