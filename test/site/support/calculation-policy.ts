/** A policy whose form leads through a script and a formula that is too long for the thread of the engine. */

const IN = '#5a1e0000-0000-4000-8000-0000000000a1';
const OUT = '#5a1e0000-0000-4000-8000-0000000000a2';

const schema = (iri: string, name: string, fields: readonly string[]) => ({
  iri,
  name,
  document: {
    $id: iri,
    title: name,
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field, { type: 'number', title: field }])),
  },
});

const common = { permissions: ['OWNER'], defaultActive: true };
const field = (name: string) => ({ name, title: name, value: name });

/** Of a form with `size`, the grid has `size`, twice of it as `doubled`, and the square of it as `squared`. */
export const calculationPolicy = {
  name: 'Calculation',
  description: '',
  topicDescription: '',
  policyRoles: [],
  schemas: [schema(IN, 'Size', ['size']), schema(OUT, 'Result', ['size', 'doubled', 'squared'])],
  config: {
    blockType: 'interfaceContainerBlock',
    tag: 'root',
    permissions: ['ANY_ROLE'],
    defaultActive: true,
    children: [
      { ...common, blockType: 'requestVcDocumentBlock', tag: 'form', schema: IN, idType: 'UUID' },
      {
        ...common,
        blockType: 'customLogicBlock',
        tag: 'script',
        outputSchema: OUT,
        idType: 'UUID',
        expression: `const { size } = documents[0].document.credentialSubject[0]; done({ size, doubled: size * 2 });`,
      },
      {
        ...common,
        blockType: 'calculateContainerBlock',
        tag: 'calculation',
        inputSchema: OUT,
        outputSchema: OUT,
        inputFields: ['size', 'doubled'].map(field),
        outputFields: ['size', 'doubled', 'squared'].map(field),
        children: [
          {
            ...common,
            blockType: 'calculateMathAddon',
            tag: 'formulas',
            equations: [{ variable: 'squared', formula: 'size ^ 2 + sum((1:5000) * 0)' }],
          },
        ],
      },
      {
        ...common,
        blockType: 'sendToGuardianBlock',
        tag: 'save',
        dataSource: 'database',
        documentType: 'vc',
        entityType: 'result',
      },
      {
        ...common,
        blockType: 'interfaceDocumentsSourceBlock',
        tag: 'grid',
        uiMetaData: {
          fields: [{ name: 'document.credentialSubject.0.squared', title: 'Squared', type: 'text' }],
        },
        children: [{ ...common, blockType: 'documentsSourceAddon', tag: 'results', dataType: 'vc-documents' }],
      },
    ],
  },
};
