/** Findings about what the blocks of a policy do together: values, fields and roles that do not fit, and documents that are lost. */
import { readPolicy } from '@blockwork/core/files';
import { describe, expect, it } from 'vitest';
import { standardBlocks } from '../src/standard-blocks.js';

type Block = Readonly<Record<string, unknown>>;

const REPORT = '#5a1e0000-0000-4000-8000-000000000001';

const link = (source: string, output: string, target: string): Block => ({
  source,
  output,
  target,
  input: 'RunEvent',
  actor: '',
});

interface Parts {
  readonly form?: Block;
  readonly save?: Block;
  readonly source?: Block;
  readonly columns?: readonly Block[];
  readonly buttons?: readonly Block[];
  readonly mint?: Block;
  readonly more?: Block;
  readonly required?: readonly string[];
}

const approve = { tag: 'Approve', name: 'Approve', type: 'selector', field: 'option.status', value: 'Approved' };
const site = { name: 'document.credentialSubject.0.site', title: 'Site', type: 'text' };

/** A form, a grid with a button, and a mint. */
const policyOf = ({
  form = {},
  save = {},
  source = {},
  columns = [site],
  buttons = [approve],
  mint = { stopPropagation: true },
  required = ['site'],
  more = {},
}: Parts): Block => ({
  name: 'Sunlight',
  policyRoles: ['Producer'],
  tokens: [{ tokenId: '0.0.1', tokenName: 'Sunlight', tokenSymbol: 'SUN', tokenType: 'fungible', decimals: 2 }],
  schemas: [
    {
      iri: REPORT,
      name: 'Report',
      document: {
        $id: REPORT,
        type: 'object',
        properties: { site: { type: 'string' }, amount: { type: 'number' } },
        required,
      },
    },
  ],
  config: {
    blockType: 'interfaceContainerBlock',
    tag: 'root',
    permissions: ['ANY_ROLE'],
    children: [
      { blockType: 'policyRolesBlock', tag: 'choose', permissions: ['NO_ROLE'], roles: ['Producer'] },
      { blockType: 'requestVcDocumentBlock', tag: 'form', permissions: ['Producer'], schema: REPORT, ...form },
      {
        blockType: 'sendToGuardianBlock',
        tag: 'save',
        permissions: ['Producer'],
        dataSource: 'database',
        entityType: 'report',
        options: [{ name: 'status', value: 'Waiting' }],
        stopPropagation: true,
        ...save,
      },
      {
        blockType: 'interfaceDocumentsSourceBlock',
        tag: 'grid',
        permissions: ['OWNER'],
        uiMetaData: {
          fields: [...columns, { name: 'option.status', title: 'Decide', type: 'block', bindBlock: 'decide' }],
        },
        children: [
          {
            blockType: 'documentsSourceAddon',
            tag: 'source',
            permissions: ['OWNER'],
            dataType: 'vc-documents',
            filters: [
              { type: 'equal', field: 'type', value: 'report' },
              { type: 'in', field: 'option.status', value: 'Waiting,Approved' },
            ],
            ...source,
          },
        ],
      },
      {
        blockType: 'buttonBlock',
        tag: 'decide',
        permissions: ['OWNER'],
        uiMetaData: { buttons },
        stopPropagation: true,
        events: [link('decide', 'Approve', 'approved')],
      },
      {
        blockType: 'sendToGuardianBlock',
        tag: 'approved',
        permissions: ['OWNER'],
        dataSource: 'database',
        entityType: 'report',
      },
      {
        blockType: 'mintDocumentBlock',
        tag: 'mint',
        permissions: ['OWNER'],
        tokenId: '0.0.1',
        rule: 'amount',
        ...mint,
      },
    ],
  },
  ...more,
});

async function findingsIn(parts: Parts): Promise<string[]> {
  const { findings } = await readPolicy(policyOf(parts), { blocks: standardBlocks() });
  return findings.map(({ severity, code, tag = '', path, pointer = '', message }) =>
    [severity, code, tag, path || pointer, message].join(' '),
  );
}

const filters = (...list: Block[]): Parts => ({ source: { filters: list } });

it('a policy whose parts fit has none', async () => {
  expect(await findingsIn({})).toEqual([]);
});

describe('a warning', () => {
  it.each<[string, Parts, RegExp]>([
    [
      'a filter for a type that no block writes',
      filters({ type: 'equal', field: 'type', value: 'reprot' }),
      /VALUE_UNWRITTEN source .*filters\/0\/value .*"reprot", which no block writes \(did you mean "report"\?\)/,
    ],
    [
      'one of several statuses that no block writes',
      filters({ type: 'not_in', field: 'option.status', value: 'Waiting, Aproved' }),
      /VALUE_UNWRITTEN source .*"Aproved", which no block writes \(did you mean "Approved"\?\)/,
    ],
    [
      'a filter on a field that no block writes',
      {
        save: { options: [{ name: 'stage', value: 'First' }] },
        ...filters({ type: 'equal', field: 'option.stgae', value: 'First' }),
      },
      /VALUE_UNWRITTEN source .*filters\/0\/field .*option\.stgae, which no block writes \(did you mean "option\.stage"\?\)/,
    ],
    [
      'a column of a field that no schema has',
      { columns: [{ ...site, name: 'document.credentialSubject.0.sitte' }] },
      /REFERENCE_UNKNOWN grid .*fields\/0\/name .*"sitte".*\(did you mean "site"\?\)/,
    ],
    [
      'a column of a type that clients do not know',
      { columns: [{ ...site, type: 'txt' }] },
      /OPTIONS_INVALID grid .*fields\/0\/type .*"txt".*\(did you mean "text"\?\)/,
    ],
    [
      'a button that sets a field beside the status',
      { buttons: [{ ...approve, field: 'options.status' }] },
      /OPTIONS_INVALID decide .*buttons\/0\/field .*options\.status.*Write "option\.status"/,
    ],
    [
      'a form whose documents go nowhere',
      { form: { stopPropagation: true } },
      /DOCUMENT_UNSAVED form .*Put a sendToGuardianBlock behind it/,
    ],
    [
      'a mint that a run comes back to',
      { mint: { events: [link('mint', 'RunEvent', 'approved')] } },
      /LINK_CIRCULAR mint .*through "approved": it may mint in an endless loop/,
    ],
    [
      'a role that nobody can take',
      { more: { policyRoles: ['Producer', 'Judge'] }, form: { permissions: ['Producer', 'Judge'] } },
      /ROLE_UNREACHABLE .*\/policyRoles\/1 .*"Judge"/,
    ],
    [
      'a required field that is not there',
      { required: ['sites'] },
      /SCHEMA_DOUBTFUL form .*\/required\/0 is "sites", which is no field \(did you mean "site"\?\)/,
    ],
  ])('%s', async (_, parts, finding) => {
    const findings = await findingsIn(parts);
    expect(findings).toContainEqual(expect.stringMatching(finding));
    expect(findings.filter((each) => each.startsWith('error'))).toEqual([]);
  });
});

it('a status that nothing shows or asks for is worth knowing', async () => {
  const findings = await findingsIn({ ...filters(), columns: [], buttons: [{ ...approve, value: 'Waiting' }] });
  expect(findings).toEqual([]);
  const { config } = policyOf({}) as { config: { children: Block[] } };
  const children = config.children.filter(({ tag }) => !['grid', 'decide'].includes(String(tag)));
  const unread = await findingsIn({ more: { config: { ...config, children } } });
  expect(unread).toEqual([expect.stringMatching(/^information VALUE_UNREAD save .*"Waiting"/)]);
});

it('a value that a script or a group may write is none', async () => {
  const script = `${' '.repeat(60)}document.type = "computed"; done(document)`;
  const save = { memo: script };
  expect(await findingsIn({ save, ...filters({ type: 'equal', field: 'type', value: 'computed' }) })).toEqual([]);
});
