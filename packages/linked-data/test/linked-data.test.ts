/** Hashes of linked data: of a closed set of contexts, of everything that a document says, and of no document made to cost much. */
import { contextsOf, linkedData } from '@blockwork/linked-data';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';

const CREDENTIALS = 'https://www.w3.org/2018/credentials/v1';
const OPEN = { '@vocab': 'https://w3id.org/traceability/#undefinedTerm' };
const linked = linkedData();

type Document = Parameters<typeof linked.hash>[1];
type Published = Parameters<typeof linked.hash>[2];

const credential = (subject: object, context: unknown = OPEN, more: object = {}): Document =>
  ({
    '@context': [CREDENTIALS, context],
    id: 'urn:uuid:1',
    type: ['VerifiableCredential'],
    issuer: 'did:example:a',
    issuanceDate: '2026-01-01T00:00:00Z',
    credentialSubject: [subject],
    ...more,
  }) as Document;
const hashOf = async (document: Document, published: Published = []): Promise<string> =>
  Buffer.from(await linked.hash(document, document, published)).toString('hex');

describe('the hash of a document', () => {
  it('is that of its canonical statements', async () => {
    const statements = [
      '<did:example:b> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <https://w3id.org/traceability/#undefinedTermUserRole> .',
      '<did:example:b> <https://w3id.org/traceability/#undefinedTermrole> "Producer" .',
      '<urn:uuid:1> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <https://www.w3.org/2018/credentials#VerifiableCredential> .',
      '<urn:uuid:1> <https://www.w3.org/2018/credentials#credentialSubject> <did:example:b> .',
      '<urn:uuid:1> <https://www.w3.org/2018/credentials#issuanceDate> "2026-01-01T00:00:00Z"^^<http://www.w3.org/2001/XMLSchema#dateTime> .',
      '<urn:uuid:1> <https://www.w3.org/2018/credentials#issuer> <did:example:a> .',
    ];
    const expected = createHash('sha256')
      .update(statements.map((line) => `${line}\n`).join(''))
      .digest('hex');
    expect(await hashOf(credential({ id: 'did:example:b', type: 'UserRole', role: 'Producer' }))).toBe(expected);
  });

  it('of an unpublished schema covers names, nulls, empty lists and order, whatever a field is called', async () => {
    const names = ['a', 'toString', 'constructor', 'two words', 'Ünï', '1', 'created', 'issuer', 'a%b', '?x#y'];
    const subject = (value: unknown): object =>
      Object.defineProperties(
        { type: 's', '@context': ['schema:s'] },
        Object.fromEntries(names.map((name) => [name, { value, enumerable: true }])),
      );
    const of = (value: unknown): Promise<string> => hashOf(credential(subject(value), 'schema:s'));
    const values = [null, [], [null], [1, 2], [2, 1], [1, 1, 2], {}, { x: null }, { x: [] }, [[1], 2], '1', 1, true];
    const hashes = await Promise.all(values.map(of));
    expect(new Set(hashes).size).toBe(values.length);
    for (const name of names) {
      const other = {
        type: 's',
        '@context': ['schema:s'],
        ...Object.fromEntries(names.map((each) => [each, each === name ? 2 : 1])),
      };
      expect(await hashOf(credential(other, 'schema:s')), name).not.toBe(await of(1));
    }
  });

  it.each<[string, Document, Published, string]>([
    ['a context that is not known', credential({}, 'https://else.example/v1'), [], 'is not known'],
    [
      'terms that are defined in place',
      credential({}, { '@vocab': 'https://else.example/' }),
      [],
      'defines terms in place',
    ],
    [
      'terms that are defined deep inside',
      credential({ a: [{ '@context': { a: 'x:y' } }] }),
      [],
      'defines terms in place',
    ],
    ['no context for a member', credential({ id: 'did:example:b', a: 1 }, CREDENTIALS), [], 'Dropping property'],
    ['an id that is no address', credential({ id: 'b' }), [], 'Relative @id reference'],
    [
      'a context that leaves a member out',
      credential({ id: 'did:example:b', a: 1 }, 'https://else.example/v1'),
      [{ address: 'https://else.example/v1', document: { '@context': { '@vocab': 'https://x.example/', a: null } } }],
      'Dropping property',
    ],
    [
      'a context that names another one',
      credential({ id: 'did:example:b', a: 1 }, 'https://else.example/v1'),
      [{ address: 'https://else.example/v1', document: { '@context': ['https://third.example/'] } }],
      'is not known',
    ],
    [
      'another file than its address names',
      credential({}, 'ipfs://bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e'),
      [
        {
          address: 'ipfs://bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e',
          document: { '@context': { '@vocab': 'https://x.example/' } },
        },
      ],
      'is another file',
    ],
    [
      'a member that would be left out',
      credential(JSON.parse('{"id": "did:example:b", "__proto__": 1}') as object),
      [],
      '__proto__',
    ],
    ['too many characters', credential({ a: 'x'.repeat(4 * 1024 * 1024) }), [], 'characters'],
  ])('is not made with %s', async (_, document, published, reason) => {
    await expect(hashOf(document, published)).rejects.toThrow(reason);
  });

  it('is not made of a graph whose nodes cannot be told apart without trying too much', async () => {
    const clique = Array.from({ length: 9 }, (_, at) => ({
      '@id': `_:b${String(at)}`,
      knows: Array.from({ length: 9 }, (__, other) => ({ '@id': `_:b${String(other)}` })).filter(
        (___, other) => other !== at,
      ),
    }));
    await expect(hashOf(credential({ id: 'did:example:b', clique }))).rejects.toThrow('Maximum deep iterations');
  });
});

const folder = process.env['BLOCKWORK_REAL_POLICIES'];

describe.skipIf(folder === undefined)('the contexts in published policies', () => {
  it('are the files that their addresses name, for most', async () => {
    const outcome = { same: 0, other: 0 };
    for (const name of readdirSync(folder ?? '').filter((each) => each.endsWith('.policy'))) {
      const files = unzipSync(readFileSync(join(folder ?? '', name)), {
        filter: (file) => file.name.startsWith('schemas/'),
      });
      for (const content of Object.values(files)) {
        if (content.length === 0) continue;
        const { contextURL: address = '', context } = JSON.parse(Buffer.from(content).toString()) as {
          readonly contextURL?: string;
          readonly context: Document;
        };
        if (!address.includes('bafkrei')) continue;
        const known = await contextsOf({}, [{ address, document: context }]).catch(() => null);
        outcome[known === null ? 'other' : 'same'] += 1;
      }
    }
    expect(outcome.same).toBeGreaterThan(20);
    expect(outcome.other).toBeLessThan(outcome.same / 2);
  });
});
