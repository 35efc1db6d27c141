import type { JsonObject } from '@blockwork/core/block';
import { describe, expect, it } from 'vitest';
import { ADDRESS, FARM, FARM_CONTEXT, farmDocument, readingDocument, READING } from '../../test/farm-schemas.js';
import { contextOf, namedSubject } from './named-subject.js';
import { accountsIn, takesField } from './schema-fields.js';

const farm = {
  id: FARM,
  name: 'Farm',
  entity: 'VC',
  status: '',
  document: farmDocument,
  source: { contextURL: FARM_CONTEXT },
};
const reading = { ...farm, id: READING, document: readingDocument, source: { contextURL: null } };

describe('fields of a schema', () => {
  it('say which of them are ledger accounts, those within objects too', () => {
    const subject = { account: '0.0.7', name: '0.0.8', address: { city: 'x', payTo: '0.0.9' } };
    expect(accountsIn(farmDocument, subject)).toEqual({ account: '0.0.7', 'address.payTo': '0.0.9' });
    expect(accountsIn(farmDocument, { account: 5 })).toEqual({});
    expect(accountsIn({ properties: { a: { $comment: 'no JSON' } } }, { a: '0.0.7' })).toEqual({});
  });

  it('do not end where a schema holds itself', () => {
    const schema: JsonObject = { $id: '#s', properties: { next: { $ref: '#s' } } };
    let subject: JsonObject = {};
    for (let at = 0; at < 100; at += 1) subject = { next: subject };
    expect(accountsIn(schema, subject)).toEqual({});
  });

  it('tell whether a subject may have a field', () => {
    expect(takesField(farmDocument, 'ref')).toBe(true);
    expect(takesField(readingDocument, 'ref')).toBe(false);
    expect(takesField(readingDocument, 'toString')).toBe(false);
    expect(takesField({}, 'ref')).toBe(true);
  });
});

describe('a subject', () => {
  it('says which schema it is of, whatever a client wrote there', () => {
    const posted = { type: 'mine', '@context': ['mine'], name: 'n', address: { city: 'c', type: 'mine' } };
    expect(namedSubject(farm, posted)).toEqual({
      type: FARM.slice(1),
      '@context': [FARM_CONTEXT],
      name: 'n',
      address: { city: 'c', type: ADDRESS.slice(1), '@context': ['https://ipfs.io/ipfs/address'] },
    });
  });

  it('has a context of its own where the schema was never published', () => {
    expect(contextOf(reading)).toBe(`schema:${READING.slice(1)}`);
  });

  it('leaves an object alone that says itself which of several kinds it is', () => {
    const $defs = { '#GeoJSON': { $id: '#GeoJSON', type: 'object', oneOf: [{ required: ['type'] }] } };
    const schema = { ...farm, document: { $defs, properties: { place: { $ref: '#GeoJSON' } } } };
    const place = { type: 'Point', coordinates: [7.4, 46.9] };
    expect(namedSubject(schema, { place }).place).toEqual(place);
  });

  it('names the objects in its lists', () => {
    const schema = { ...farm, document: { ...farmDocument, properties: { homes: { items: { $ref: ADDRESS } } } } };
    expect(namedSubject(schema, { homes: [{ city: 'a' }, 'b'] })).toMatchObject({
      homes: [{ city: 'a', type: ADDRESS.slice(1) }, 'b'],
    });
  });
});
