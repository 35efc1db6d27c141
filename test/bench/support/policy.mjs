/** The policy and the documents that the benchmarks work with. */
import { block } from './block.mjs';

export const registry = { did: 'did:example:registry', role: 'STANDARD_REGISTRY' };

/** A grid two containers deep, newest first, with pages. */
export const gridPolicy = {
  name: 'Grid',
  config: block('interfaceContainerBlock', 'root', {
    children: [
      block('interfaceContainerBlock', 'reports', {
        children: [
          block('interfaceDocumentsSourceBlock', 'grid', {
            uiMetaData: {
              fields: ['site', 'reading', 'status'].map((name) => ({
                name: `document.${name}`,
                title: name,
                type: 'text',
              })),
            },
            children: [
              block('documentsSourceAddon', 'source', {
                dataType: 'vc-documents',
                filters: [{ type: 'equal', field: 'type', value: 'report' }],
                orderField: 'createDate',
                orderDirection: 'DESC',
              }),
              block('paginationAddon', 'pages'),
            ],
          }),
        ],
      }),
    ],
  }),
};

/** A meter reading: about half a kilobyte as JSON. */
const reading = (at) => ({
  owner: `did:example:owner-${at % 100}`,
  type: 'report',
  option: { status: at % 3 === 0 ? 'Waiting for approval' : 'Approved' },
  createDate: new Date(1_750_000_000_000 + at * 60_000).toISOString(),
  document: {
    id: `urn:uuid:reading-${at}`,
    type: ['VerifiableCredential'],
    issuer: `did:example:owner-${at % 100}`,
    credentialSubject: [
      { site: `Site ${at % 40}`, meter: `M-${at % 400}`, megawattHours: (at % 977) / 10, period: '2026-03' },
    ],
  },
});

export async function addReadings(engine, policyId, count) {
  const batch = 10_000;
  for (let from = 0; from < count; from += batch) {
    const length = Math.min(batch, count - from);
    await engine.program.documents.add(
      policyId,
      Array.from({ length }, (_, at) => reading(from + at)),
    );
  }
}
