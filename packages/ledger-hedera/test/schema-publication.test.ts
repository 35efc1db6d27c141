/** The schemas of a policy that is published: their messages, their files, and the contexts by which documents are signed. */
import { describe, expect, it } from 'vitest';
import { cidOf } from '../src/index.js';
import { ofType, registry, solar, world } from './support/publishing-world.js';

const publishedContext = { '@context': { '@version': 1.1, id: '@id', type: '@type' } };

describe('the schemas of a policy that is published', () => {
  it('have messages before that of the policy, each after those that it uses, with both files', async () => {
    const { files, publish, reader } = world();
    const address = `ipfs://${cidOf(Buffer.from(JSON.stringify(publishedContext)))}`;
    const schema = (iri: string, more: object = {}, defs: object = {}) => ({
      ...{ iri, uuid: iri.slice(1, 4), name: `Schema ${iri}`, entity: 'VC', version: '1.2.0', codeVersion: '1.1.0' },
      document: { $id: iri, type: 'object', properties: { field0: { type: 'string' } }, $defs: defs },
      ...more,
    });
    const schemas = [
      schema('#one&1.2.0', { description: 'ä'.repeat(600) }, { '#two&1.2.0': {}, '#elsewhere': {} }),
      schema('#two&1.2.0', { contextURL: address, context: publishedContext, system: true }),
    ];
    await publish({ ...solar, schemas });
    const { messages } = reader();
    const [two, one] = ofType(messages, 'Schema');
    const [published] = ofType(messages, 'Instance-Policy');
    expect(Object.keys(one?.content ?? {})).toEqual([
      ...['id', 'status', 'type', 'action', 'lang', 'name', 'description', 'entity', 'owner', 'uuid', 'version'],
      ...['relationships', 'document_cid', 'document_uri', 'context_cid', 'context_uri', 'code_version'],
    ]);
    expect(one?.content).toMatchObject({
      ...{ action: 'publish-schema', name: 'Schema #one&1.2.0', entity: 'VC', owner: registry.did, uuid: 'one' },
      ...{ version: '1.2.0', code_version: '1.1.0', relationships: [two?.id] },
      description: expect.stringMatching(/^ä{40,}\.\.\.$/) as unknown,
    });
    expect(two?.content).toMatchObject({ action: 'publish-system-schema', relationships: [], context_uri: address });
    expect([one?.topic, two?.topic]).toEqual([published?.topic, published?.topic]);
    expect(one?.sequence).toBeLessThan(published?.sequence ?? 0);
    const fileAt = (member: string) =>
      JSON.parse(Buffer.from(files.get(String(one?.content[member])) ?? '').toString('utf8')) as unknown;
    expect(fileAt('document_cid')).toEqual(schemas[0]?.document);
    expect(fileAt('context_cid')).toMatchObject({
      '@context': { field0: { '@id': 'schema:one&1.2.0#field0', '@type': '@json' } },
    });
  });

  it('have no messages where files have no place', async () => {
    const { publish, reader } = world('files');
    await publish({ ...solar, schemas: [{ iri: '#one', document: { $id: '#one', properties: {} } }] });
    const { messages } = reader();
    expect(ofType(messages, 'Schema')).toEqual([]);
    expect(ofType(messages, 'Instance-Policy')).toHaveLength(1);
  });

  it('name the context in their address, which documents name, whether its file is known or another one', async () => {
    const { files, publish, reader } = world();
    const [known, lost] = ['known', 'lost'].map((name) => ({ '@context': { '@version': 1.1, [name]: '@id' } }));
    const cids = [known, lost].map((content) => cidOf(Buffer.from(JSON.stringify(content))));
    const [knownCid = '', lostCid = ''] = cids;
    const old = 'QmZ4tDuvesekSs4qM5ZBKpXiZGun7S2CYtEZRB3DYXkjGx';
    const addresses: readonly (readonly [string, object])[] = [
      [`ipfs://${knownCid}`, { context: known }],
      [`https://ipfs.io/ipfs/${lostCid}`, {}],
      [`https://ipfs.example/ipfs/${lostCid}?format=raw`, { context: known }],
      [`ipfs://${old}`, { context: lost }],
    ];
    const schemas = addresses.map(([contextURL, more], at) => ({
      ...{ iri: `#${String(at)}`, contextURL, document: { $id: `#${String(at)}`, properties: { a: {} } } },
      ...more,
    }));
    await publish({ ...solar, schemas });
    const named = ofType(reader().messages, 'Schema').map(({ content }) => [content['uuid'], content['context_cid']]);
    expect(Object.fromEntries(named)).toEqual({ 0: knownCid, 1: lostCid, 2: lostCid, 3: old });
    expect(files.has(knownCid)).toBe(true);
    expect(files.has(lostCid)).toBe(false);
    expect([...files.values()].filter((file) => Buffer.from(file).includes('@vocab'))).toEqual([]);
  });

  it('have a context of their own where the address is that of no file', async () => {
    const { files, publish, reader } = world();
    const contextURL = 'https://schemas.example/plant';
    await publish({
      ...solar,
      schemas: [{ iri: '#plant', contextURL, document: { $id: '#plant', properties: { a: {} } } }],
    });
    const [schema] = ofType(reader().messages, 'Schema');
    const file = Buffer.from(files.get(String(schema?.content['context_cid'])) ?? '').toString('utf8');
    expect(JSON.parse(file)).toMatchObject({ '@context': { a: { '@id': `${contextURL}#a`, '@type': '@json' } } });
  });
});
