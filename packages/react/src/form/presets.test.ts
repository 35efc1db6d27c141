/** What a form is filled with beforehand. */
import { describe, expect, it } from 'vitest';
import { presetValues } from './presets.js';

const subject = {
  id: 'urn:uuid:1',
  type: 'Site',
  field0: 'Hill',
  field1: { type: 'Meter', '@context': ['https://example.org'], serial: 7 },
};
const row = { document: { credentialSubject: [subject] } };

describe('a form that begins from a document', () => {
  it('takes over the fields that the policy names, without what the server writes into them', () => {
    const presets = [
      { name: 'site', value: 'field0' },
      { name: 'meter', value: 'field1' },
      { name: 'of', value: 'id' },
    ];
    expect(presetValues({}, presets, row, 'alice')).toEqual({ site: 'Hill', meter: { serial: 7 }, of: 'urn:uuid:1' });
  });

  it('keeps of a place which kind it says it is, wherever it stands', () => {
    const place = { type: 'Point', coordinates: [30.5, 50.4] };
    const farm = { type: 'Farm', '@context': ['https://example.org'], at: place, parts: [place] };
    const [$ref, farms] = ['#GeoJSON', { $ref: '#Farm' }];
    const document = {
      properties: { farm: farms },
      $defs: {
        '#Farm': { properties: { at: { $ref }, parts: { type: 'array', items: { $ref } } } },
        '#GeoJSON': { oneOf: [{ properties: { type: { enum: ['Point'] } } }] },
      },
    };
    const from = { document: { credentialSubject: [{ site: farm }] } };
    const presets = presetValues(document, [{ name: 'farm', value: 'site' }], from, '');
    expect(presets).toEqual({ farm: { at: place, parts: [place] } });
  });

  it('takes over the name of the person', () => {
    expect(presetValues({}, [{ name: 'who', value: 'username' }], row, 'alice')).toEqual({ who: 'alice' });
    expect(presetValues({}, [{ name: 'who', value: 'username' }], row, undefined)).toEqual({});
  });

  it('of a presentation takes the first credential', () => {
    const presentation = { document: { verifiableCredential: [row.document] } };
    expect(presetValues({}, [{ name: 'site', value: 'field0' }], presentation, '')).toEqual({ site: 'Hill' });
  });

  it('leaves empty what the document has not, and everything where there is none', () => {
    const presets = [{ name: 'a', value: 'toString' }, { name: 'b', value: 'field9' }, { name: 'c' }];
    expect(presetValues({}, presets, row, '')).toEqual({});
    expect(presetValues({}, [{ name: 'site', value: 'field0' }], null, '')).toEqual({});
  });
});
