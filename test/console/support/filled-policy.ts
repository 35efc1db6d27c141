/** A policy whose page has tabs and a long grid: with pages, an order that its user chooses, and a filter. */
import type { ConsoleWorld } from './console-world.js';
import { owner } from './console-world.js';

const open = { permissions: ['ANY_ROLE'], defaultActive: true };

const reports = {
  blockType: 'documentsSourceAddon',
  dataType: 'vc-documents',
  filters: [{ type: 'equal', field: 'type', value: 'report' }],
  ...open,
};

const column = (title: string, name: string): object => ({ title, name, type: 'text' });

const config = {
  blockType: 'interfaceContainerBlock',
  tag: 'root',
  uiMetaData: { type: 'tabs' },
  ...open,
  children: [
    { blockType: 'informationBlock', tag: 'about', uiMetaData: { title: 'About', description: 'Readings.' }, ...open },
    {
      blockType: 'interfaceDocumentsSourceBlock',
      tag: 'readings',
      uiMetaData: {
        title: 'Readings',
        enableSorting: true,
        fields: [
          column('Site', 'document.credentialSubject.0.site'),
          column('Status', 'option.status'),
          column('Owner', 'owner'),
          column('Issuer', 'document.issuer'),
        ],
      },
      ...open,
      children: [
        { ...reports, tag: 'all_readings', orderField: 'createDate', orderDirection: 'ASC' },
        { blockType: 'paginationAddon', tag: 'pages', ...open },
        {
          ...{ blockType: 'filtersAddon', tag: 'by_status', type: 'dropdown', canBeEmpty: true },
          ...{ field: 'option.status', optionName: 'option.status', optionValue: 'option.status' },
          uiMetaData: { content: 'State' },
          ...open,
          children: [{ ...reports, tag: 'statuses' }],
        },
      ],
    },
  ],
};

const reading = (at: number): object => ({
  owner: `did:example:owner-${String(at % 7)}`,
  type: 'report',
  option: { status: at % 3 === 0 ? 'Waiting' : 'Approved' },
  createDate: new Date(1_750_000_000_000 + at * 60_000).toISOString(),
  document: {
    id: `urn:uuid:reading-${String(at)}`,
    type: ['VerifiableCredential'],
    issuer: `did:example:issuer-of-readings-${String(at % 5)}`,
    credentialSubject: [{ site: `Site ${String(at + 1).padStart(3, '0')}` }],
  },
});

/** The id of the policy, in a trial, with so many documents: "Site 001" and so on; every third waits. */
export async function addFilledPolicy({ engine }: ConsoleWorld, count: number): Promise<string> {
  const { policy } = await engine.importPolicy(owner, { name: 'Readings', config });
  await engine.lifecycle.dryRun(owner, policy.id);
  await engine.program.documents.add(policy.id, Array.from({ length: count }, (_, at) => reading(at)) as never);
  return policy.id;
}
