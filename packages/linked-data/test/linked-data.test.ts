/** Hashes of linked data: of a closed set of contexts, of everything that a document says, and of no document made to cost much. */
import { contextsOf, linkedData } from '@blockwork/linked-data';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { canonizeLimit } from '../src/canonize-limit.js';

const CREDENTIALS = 'https://www.w3.org/2018/credentials/v1';
const OPEN = { '@vocab': 'https://w3id.org/traceability/#undefinedTerm' };
const linked = linkedData();

type Document = Parameters<typeof linked.hashes>[1];
type Published = Parameters<typeof linked.hashes>[2];

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
  Buffer.concat(await linked.hashes([document], document, published)).toString('hex');

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

  it.each(['@index', '@note', '@language', '@included', 'a:b', '_:a', 'hasOwnProperty'])(
    'is not made where somebody added a member %s, whose value would not be signed',
    async (name) => {
      const member = { [name]: 'x' };
      const subject = { id: 'did:example:b', type: 'UserRole', role: 'Producer' };
      for (const document of [
        credential(subject, OPEN, member),
        credential({ ...subject, ...member }),
        credential({ ...subject, within: [{ a: 1, ...member }] }),
        credential({ type: 's', '@context': ['schema:s'], a: member }, 'schema:s'),
      ])
        await expect(hashOf(document)).rejects.toMatchObject({
          name: 'LinkedDataError',
          code: 'CREDENTIAL_INVALID',
          message: expect.stringContaining(`it has a member "${name}"`) as string,
        });
    },
  );

  it.each<[string, object]>([
    ['@index', { note: '@index' }],
    ['@nest', { note: '@nest' }],
    ['@index', { notes: { '@id': 'https://x.example/', '@container': '@index' } }],
    ['@language', { notes: { '@id': 'https://x.example/', '@container': ['@language'] } }],
    ['@reverse', { note: { '@reverse': 'https://x.example/' } }],
  ])('is not made in a context with %s, in which parts of a document are not signed', async (keyword, terms) => {
    const address = 'https://else.example/v1';
    const document = { '@context': { '@vocab': 'https://x.example/', ...terms } } as Document;
    await expect(hashOf(credential({ note: 'x' }, address), [{ address, document }])).rejects.toThrow(
      `the context ${address} uses ${keyword}`,
    );
  });

  it('covers each value, and neither nulls, empty lists, repeats nor a list of one', async () => {
    const subject = { id: 'did:example:b', type: 'UserRole', a: ['x', 'y'] };
    const hash = await hashOf(credential(subject));
    for (const same of [
      { ...subject, a: ['y', 'x', 'x'] },
      { ...subject, type: ['UserRole'], b: null, c: [] },
    ])
      expect(await hashOf(credential(same))).toBe(hash);
    for (const other of [
      { ...subject, a: ['x'] },
      { ...subject, b: '' },
      { ...subject, b: {} },
    ])
      expect(await hashOf(credential(other))).not.toBe(hash);
  });

  it('is made of the parts in their order, all with the contexts of the document', async () => {
    const document = credential({ id: 'did:example:b' });
    const other = credential({ id: 'did:example:c' });
    const [first, second] = await linked.hashes([other, document], document, []);
    expect(Buffer.from(first ?? []).toString('hex')).toBe(await hashOf(other));
    expect(Buffer.from(second ?? []).toString('hex')).toBe(await hashOf(document));
  });

  it('is not made of a graph whose nodes cannot be told apart without trying too much', async () => {
    const twins = (children: number): object[] =>
      [1, 2].map(() => ({ knows: { of: Array.from({ length: children }, () => ({ a: 1 })) } }));
    await expect(hashOf(credential({ id: 'did:example:b', twins: twins(9) }))).rejects.toThrow(
      'Maximum deep iterations',
    );
    const clique = Array.from({ length: 9 }, (_, at) => ({
      id: `_:b${String(at)}`,
      knows: Array.from({ length: 9 }, (__, other) => ({ id: `_:b${String(other)}` })),
    }));
    await expect(hashOf(credential({ id: 'did:example:b', clique }))).rejects.toThrow('begins with "_:"');
  });

  it('is not made of more objects, or in more steps, than a document needs', async () => {
    const rows = (count: number): object[] => Array.from({ length: count }, () => ({}));
    await expect(hashOf(credential({ rows: rows(20_000) }))).rejects.toThrow('more than 20000 objects');
    const { createMessageDigest, signal } = canonizeLimit() as {
      createMessageDigest: () => unknown;
      signal: { aborted: boolean };
    };
    for (let at = 0; at < 99_999; at += 1) createMessageDigest();
    expect([signal.aborted, signal.aborted]).toEqual([false, true]);
    expect(createMessageDigest).toThrow('too many steps');
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
        const known = await contextsOf({ '@context': [address] }, [{ address, document: context }]).catch(() => null);
        outcome[known === null ? 'other' : 'same'] += 1;
      }
    }
    expect(outcome.same).toBeGreaterThan(20);
    expect(outcome.other).toBeLessThan(outcome.same / 2);
  });
});
