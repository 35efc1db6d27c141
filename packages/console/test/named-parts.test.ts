/** Texts of the server name people by their DIDs; the page shows whom it knows. */
import { describe, expect, it } from 'vitest';
import { namedParts } from '../app/session/named-parts.js';

const al = { did: 'did:example:al', name: 'Al' };
const alice = { did: 'did:example:alice', name: 'Alice' };

describe('the people that a text names', () => {
  it('are found by whole DIDs, also if one begins with another', () => {
    expect(namedParts('did:example:alice sent data to report', [al, alice])).toEqual([alice, ' sent data to report']);
    expect(namedParts('did:example:alice, did:example:al:2 and did:example:al.b', [al])).not.toContain(al);
  });

  it('are found before the end of a sentence, in quotes and next to each other', () => {
    expect(namedParts('By did:example:al. "did:example:alice": did:example:al', [al, alice])).toEqual([
      'By ',
      al,
      '. "',
      alice,
      '": ',
      al,
    ]);
  });
});
