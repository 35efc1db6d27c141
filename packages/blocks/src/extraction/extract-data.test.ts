import { createEngine, type PolicyEngine } from '@blockwork/core';
import { defineBlock, documentsIn, type DocumentInput, type Json, type JsonObject } from '@blockwork/core/block';
import { block } from '@blockwork/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ANN, credential } from '../../test/documents.js';
import { ADDRESS, FARM, farmDocument, READING, schemas } from '../../test/farm-schemas.js';
import { subjectOf } from '../common/subject.js';
import { extractDataBlock, nestedObjects } from './extract-data.js';

const address = (city: string): JsonObject => ({ type: ADDRESS.slice(1), city });
const farm = (id: string, subject: JsonObject): DocumentInput => {
  const document = credential(id, ANN.did, subject, { schema: FARM, signature: 1 });
  return { ...document, document: { ...document.document, proof: { type: 'DataIntegrityProof' } } };
};
const addressSchema = (farmDocument.$defs as Record<typeof ADDRESS, JsonObject>)[ADDRESS];
const owner = { did: 'did:test:owner', role: 'STANDARD_REGISTRY' };

type Parts = (documents: DocumentInput[]) => DocumentInput[];
interface Passed {
  readonly source: string;
  readonly data: Json;
  readonly carried: Json;
}

let engine: PolicyEngine | undefined;
afterEach(() => engine?.close());

/** A policy that sends documents through a block that takes parts out, one that changes them, and one that puts them back. */
async function passed(
  documents: DocumentInput | DocumentInput[],
  { change = (each) => each, get = {}, set = {} }: { change?: Parts; get?: JsonObject; set?: JsonObject } = {},
): Promise<Passed[]> {
  const seen: Passed[] = [];
  const start = defineBlock({
    type: 'start',
    title: '',
    description: '',
    kind: 'interface',
    input: z.json(),
    receive: (ctx) => ctx.emit('RunEvent', documents, { carried: 'an edit' }),
  });
  const middle = defineBlock({
    type: 'middle',
    title: '',
    description: '',
    kind: 'server',
    on: { RunEvent: (ctx, { data }) => ctx.emit('RunEvent', change(documentsIn(data))) },
  });
  const witness = defineBlock({
    type: 'witness',
    title: '',
    description: '',
    kind: 'server',
    on: { RunEvent: (_, { source, data, carried }) => void seen.push({ source, data, carried }) },
  });
  engine = createEngine({ blocks: [extractDataBlock, start, middle, witness] });
  const to = (source: string, ...targets: string[]): JsonObject => ({
    events: targets.map((target) => ({ source, target, input: 'RunEvent', output: 'RunEvent', actor: '' })),
    stopPropagation: true,
  });
  const { policy } = await engine.importPolicy(owner, {
    name: 'Parts',
    schemas: [...schemas, { iri: ADDRESS, name: 'Address', document: addressSchema }],
    config: block('interfaceContainerBlock', 'root', {
      permissions: ['ANY_ROLE'],
      children: [
        block('start', 'start', { permissions: ['ANY_ROLE'], ...to('start', 'get') }),
        block('extractDataBlock', 'get', { schema: ADDRESS, ...get, ...to('get', 'middle', 'witness') }),
        block('middle', 'middle', to('middle', 'set')),
        block('extractDataBlock', 'set', { schema: ADDRESS, action: 'set', ...set, ...to('set', 'witness') }),
        block('witness', 'witness'),
      ],
    }),
  });
  await engine.sendToBlock(owner, policy.id, { tag: 'start' }, null);
  return seen;
}

const subjects = (documents: Json | undefined): unknown[] =>
  documentsIn(documents ?? []).map(({ document }) => subjectOf(document));
const rewritten =
  (more: JsonObject): Parts =>
  (documents) =>
    documents.map((each) => ({
      ...each,
      document: { ...each.document, credentialSubject: [{ ...subjectOf(each.document), ...more }] },
    }));

describe('extractDataBlock', () => {
  it('takes out each part of its schema as a credential without a proof, of the owner of its document', async () => {
    const [parts] = await passed([
      farm('a', { name: 'A', address: address('Bern') }),
      farm('b', { name: 'B' }),
      farm('c', { address: address('Ulm') }),
    ]);
    expect(parts?.source).toBe('get');
    expect(subjects(parts?.data)).toMatchObject([{ city: 'Bern' }, { city: 'Ulm' }]);
    const documents = documentsIn(parts?.data ?? []);
    expect(documents).toMatchObject(documents.map(() => ({ owner: ANN.did, schema: ADDRESS, signature: 0 })));
    expect(documents.some(({ document }) => 'proof' in document)).toBe(false);
  });

  it('puts changed parts back where they were, in documents that have no proof any more', async () => {
    const change = rewritten({ city: 'Basel', id: 'urn:new', policyId: 'x', ref: 'r', more: 1 });
    const documents = [farm('a', { name: 'A', address: address('Bern') }), farm('b', { name: 'B' })];
    const [, back] = await passed(documents, { change });
    expect(subjects(back?.data)).toEqual([
      { id: 'urn:subject:a', name: 'A', address: address('Basel') },
      { id: 'urn:subject:b', name: 'B' },
    ]);
    const restored = documentsIn(back?.data ?? []);
    expect(restored).toMatchObject([
      { id: 'a', signature: 0 },
      { id: 'b', signature: 1 },
    ]);
    expect(restored.map(({ document }) => 'proof' in document)).toEqual([false, true]);
    expect(back?.carried).toBe('an edit');
  });

  it('leaves documents as they were where nothing was changed, and one document is no list', async () => {
    const document = farm('a', { address: address('Bern') });
    const [, back] = await passed(document);
    expect(back?.data).toMatchObject({ id: 'a', signature: 1, document: document.document });
  });

  it('refuses parts that are more or fewer than were taken out, and those of another schema', async () => {
    const documents = [farm('a', { address: address('Bern') })];
    const refusal = (why: string) => ({ code: 'DOCUMENT_REFUSED', message: expect.stringContaining(why) as string });
    const twice = passed(documents, { change: (all) => [...all, ...all] });
    await expect(twice).rejects.toMatchObject(refusal('1 parts were taken out, and 2 came back'));
    await expect(passed(documents, { change: () => [] })).rejects.toMatchObject(refusal('0 came back'));
    await expect(passed(documents, { set: { schema: READING } })).rejects.toMatchObject(refusal('no block before'));
  });

  it('is found wanting without a schema, with an unknown one, and with another action', async () => {
    engine = createEngine({ blocks: [extractDataBlock] });
    const findingsOf = async (options: JsonObject) => {
      const child = block('extractDataBlock', 'part', options);
      const config = block('interfaceContainerBlock', 'root', { permissions: ['ANY_ROLE'], children: [child] });
      const { policy } = (await engine?.importPolicy(owner, { name: 'Parts', schemas, config })) ?? {};
      const findings = (await engine?.getFindings(owner, policy?.id ?? '')) ?? [];
      return findings.filter(({ severity }) => severity === 'error').map(({ path }) => path.split('/').at(-1));
    };
    expect(await findingsOf({})).toEqual(['schema']);
    expect(await findingsOf({ schema: '#none' })).toEqual(['schema']);
    expect(await findingsOf({ schema: FARM, action: 'steal' })).toEqual(['action']);
    expect(await findingsOf({ schema: FARM })).toEqual([]);
  });
});

describe('parts of a schema', () => {
  const list: JsonObject = {
    properties: {
      first: { oneOf: [{ $ref: ADDRESS }, { type: 'null' }] },
      all: { type: 'array', items: { type: 'array', items: { $ref: ADDRESS } } },
      site: { $ref: '#site' },
      next: { $ref: '#self' },
      plain: { type: 'string' },
    },
    $defs: { [ADDRESS]: { $id: ADDRESS, properties: {} }, '#site': { properties: { home: { $ref: ADDRESS } } } },
    $id: '#self',
  };

  it('are found in lists, in objects of other schemas and in what a schema holds of itself', () => {
    const subject = {
      first: { at: 1 },
      all: [[{ at: 2 }, null, 'x'], [{ at: 3 }], { at: 0 }],
      site: { home: { at: 5 }, other: { at: 0 } },
      next: { next: { first: { at: 6 } } },
      plain: { at: 0 },
    };
    expect(nestedObjects(list, subject, ADDRESS).map(({ at }) => at)).toEqual([1, 2, 3, 5, 6]);
  });

  it('are none where the document says nothing of them', () => {
    expect(nestedObjects(list, { first: null, all: 'x' }, ADDRESS)).toEqual([]);
    expect(nestedObjects({}, { first: {} }, ADDRESS)).toEqual([]);
  });
});
