/** Schemas that come as a whole, such as published ones, into those of a policy. */
import { planSchemas } from '@blockwork/spreadsheet';
import { describe, expect, it } from 'vitest';

describe('a schema that is whole', () => {
  const well = { iri: '#well&1.0.0', name: 'Well', document: { properties: { depth: { type: 'number' } } } };
  const edited = { document: well.document, name: 'Well', iri: well.iri };

  it('is added, or replaces the one with its IRI, and what is no schema is left out', () => {
    expect(planSchemas([well, 'no schema', { name: 'without a document' }], [])).toMatchObject({
      schemas: [{ iri: well.iri, change: 'added', added: ['depth'] }],
      findings: [],
      operations: [{ op: 'addEntry', list: 'schemas', value: well }],
    });
    const earlier = { ...well, document: { properties: {} } };
    expect(planSchemas([well], [earlier])).toMatchObject({
      schemas: [{ change: 'changed', added: ['depth'] }],
      operations: [{ op: 'setEntry', entry: well.iri, value: well }],
    });
  });

  it('changes nothing if it is there, in whatever order its facts are', () => {
    expect(planSchemas([well], [edited])).toMatchObject({ schemas: [{ change: 'same' }], operations: [] });
    const reordered = { ...well, document: { properties: { area: {}, depth: {} } } };
    const before = { ...well, document: { properties: { depth: {}, area: {} } } };
    expect(planSchemas([reordered], [before]).operations).toHaveLength(1);
  });
});
