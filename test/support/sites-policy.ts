/** A policy with a form whose documents a grid shows, for tests of what goes in and out as rows. */
const any = { permissions: ['ANY_ROLE'] };

/** The first schema is that of the form, `#site`. `addons`: further children of the grid. */
export const sitesPolicy = (schemas: readonly object[], addons: readonly object[] = []): Record<string, unknown> => ({
  name: 'Sites',
  schemas,
  config: {
    ...{ blockType: 'interfaceContainerBlock', tag: 'root', ...any },
    children: [
      {
        ...{ blockType: 'requestVcDocumentBlock', tag: 'form', schema: '#site', idType: 'UUID', ...any },
        events: [{ source: 'form', output: 'RunEvent', target: 'store', input: 'RunEvent', actor: '' }],
      },
      { blockType: 'sendToGuardianBlock', tag: 'store', dataSource: 'database', documentType: 'vc', ...any },
      {
        ...{ blockType: 'interfaceDocumentsSourceBlock', tag: 'grid', ...any },
        children: [
          { blockType: 'documentsSourceAddon', tag: 'all', dataType: 'vc-documents', schema: '#site', ...any },
          ...addons,
        ],
      },
    ],
  },
});
