/** Bundles whose documents have proofs of linked data. */
import type { ProofBundle } from '@blockwork/core';
import { linkedData } from '@blockwork/linked-data';
import { storyOf, verifyBundle } from '@blockwork/verify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changedAt, drawn, leavesOf, resealed, type Json } from './support/mutations.js';
import { provenMint, registry, type Proven } from '../../../test/support/proven-mint.js';
import { times } from '../../../test/support/repetitions.js';

let proven: Proven;
let bundle: Json;
beforeAll(async () => {
  proven = await provenMint(undefined, { linkedData: linkedData(), proofs: 'Ed25519Signature2018' });
  bundle = JSON.parse(JSON.stringify(proven.mint)) as Json;
});
afterAll(() => proven.engine.close());

const verified = (value: unknown) => verifyBundle(value, { linkedData: linkedData() });

/** The places of all objects in the value. */
const objectPaths = (value: Json, path: readonly string[] = []): string[][] =>
  typeof value !== 'object' || value === null
    ? []
    : [
        ...(Array.isArray(value) ? [] : [[...path]]),
        ...Object.entries(value).flatMap(([name, member]) => objectPaths(member, [...path, name])),
      ];

/** Every object in the value. */
const objectsIn = (value: Json): Record<string, Json>[] =>
  typeof value !== 'object' || value === null
    ? []
    : [...(Array.isArray(value) ? [] : [value]), ...Object.values(value).flatMap(objectsIn)];

describe('a bundle of documents with proofs of linked data', () => {
  it('holds, in the engine as well', async () => {
    expect(JSON.stringify(proven.mint.documents)).not.toContain('eddsa-jcs-2022');
    expect(await verified(bundle)).toMatchObject({ ok: true, wrong: [] });
    const uncovered = (await verified(bundle)).unchecked.filter(({ topic }) => topic === 'signatures');
    expect(uncovered).toMatchObject([{ message: expect.stringContaining('an empty list or absent') as string }]);
    const { engine, policyId, mint } = proven;
    const chain = await engine.documents.trustChain(registry, policyId, mint.about.documentId);
    expect(chain.isTrusted).toBe(true);
    const { proof } = await engine.documents.get(registry, policyId, mint.about.documentId);
    expect(proof).toEqual({ verified: true, reason: '' });
  });

  it('without linked data is not ok: their signatures are not checked, which the report says', async () => {
    const report = await verifyBundle(bundle);
    expect(report).toMatchObject({ ok: false, wrong: [] });
    const unchecked = report.unchecked.filter(({ message }) => message.includes('its signature: not checked'));
    expect(unchecked).toHaveLength(proven.mint.documents.length);
    const story = storyOf(report);
    expect(story).toContain('a proof of the type Ed25519Signature2018 needs @blockwork/linked-data');
    expect(story).toContain('DO NOT RELY ON IT: not every signature was checked.');
    expect(story).not.toContain('Nothing is wrong');
  });

  it('without its seal is wrong for every change in what was signed', async () => {
    const random = drawn(5);
    const places = leavesOf(bundle).filter(
      ([part, , member, name]) =>
        part === 'documents' && member === 'document' && name !== '@context' && name !== 'verificationMethod',
    );
    const missed: string[] = [];
    for (let at = 0; at < times(60, 400); at += 1) {
      const place = places[random(places.length)] ?? [];
      const { ok } = await verified(resealed(changedAt(bundle, place, random)));
      if (ok) missed.push(place.join('/'));
    }
    // As statements, a credential in a presentation is the same with another order of its contexts.
    expect(missed.filter((place) => !place.includes('@context'))).toEqual([]);
  });

  it('without its seal is wrong with any member that was added to what was signed, or is without one', async () => {
    const random = drawn(6);
    const places = objectPaths((bundle as { documents: Json }).documents).filter(
      ([, member, ...within]) => member === 'document' && !within.includes('proof') && !within.includes('@context'),
    );
    const names = ['added', '@index', '@note', 'a:b', '_:a'];
    const missed: string[] = [];
    for (let at = 0; at < times(40, 400); at += 1) {
      const copy = structuredClone(bundle) as { documents: Json };
      const place = places[random(places.length)] ?? [];
      const object = place.reduce<Json>((part, name) => (part as Record<string, Json>)[name] ?? null, copy.documents);
      const own = Object.keys(object as object).filter((name) => name !== '@context');
      const name = random(2) === 0 ? own[random(own.length)] : names[random(names.length)];
      if (name === undefined || (object as Record<string, Json>)[name] === null) continue;
      if (own.includes(name)) Reflect.deleteProperty(object as object, name);
      else (object as Record<string, Json>)[name] = 'x';
      if ((await verified(resealed(copy))).ok) missed.push([...place, name].join('/'));
    }
    expect(missed).toEqual([]);
  });

  it('is wrong with a signature that is written differently, or a header that means something else', async () => {
    for (const [from, to] of [
      [
        /"jws":"[\w-]+\.\./,
        `"jws":"${Buffer.from('{"alg":"EdDSA","b64":true,"crit":["b64"]}').toString('base64url')}..`,
      ],
      [/"jws":"([\w-]+\.\.)/, '"jws":"$1A'],
      [/"jws":"([\w-]+)\.\./, '"jws":"$1.'],
    ] as const) {
      const text = JSON.stringify(bundle);
      const changed = text.replace(from, to);
      expect(changed).not.toBe(text);
      const { wrong } = await verified(resealed(JSON.parse(changed) as Json));
      expect(wrong.map(({ topic }) => topic)).toContain('signatures');
    }
  });

  it('is not ok with a proof of BBS signatures, which is not checked, nor wrong', async () => {
    const copy = structuredClone(bundle);
    const documents = (copy as unknown as ProofBundle).documents;
    for (const each of objectsIn(documents as unknown as Json))
      if (each['jws'] !== undefined)
        Object.assign(each, { type: 'BbsBlsSignature2020', proofValue: 'x', jws: undefined });
    const report = await verified(resealed(JSON.parse(JSON.stringify(copy)) as Json));
    expect(report).toMatchObject({ ok: false, wrong: [] });
    expect(report.unchecked.map(({ message }) => message).join('\n')).toContain(
      'its signature: not checked: a proof of the type BbsBlsSignature2020',
    );
  });
});

describe('the context of a published schema', () => {
  const schemaOf = (value: Json): Record<string, Json> =>
    objectsIn(value).find(({ address }) => address !== undefined) ?? {};

  it('is part of the bundle, and the story says what such a proof does not tell', async () => {
    const other = await publishedSchemas();
    expect(await verified(other)).toMatchObject({ wrong: [] });
    const { unchecked } = await verified(other);
    const messages = unchecked.map(({ message }) => message).join('\n');
    expect(messages).toContain('the order of its lists');
    expect(messages).toContain('that the context https://contexts.example/report is the file at this address');
  });

  it('is needed, and may not be another', async () => {
    const other = await publishedSchemas();
    const without = structuredClone(other) as { contexts?: Json };
    without.contexts = [];
    expect((await verified(resealed(without as Json))).wrong.map(({ topic }) => topic)).toContain('signatures');
    const swapped = structuredClone(other);
    const file = schemaOf(swapped)['document'] as { '@context': Record<string, Json> };
    file['@context']['kilowattHours'] = { '@id': 'https://else.example/' };
    expect((await verified(resealed(swapped))).wrong.map(({ topic }) => topic)).toContain('signatures');
  });
});

/** The bundle of a report whose schema has a context at an address. */
async function publishedSchemas(): Promise<Json> {
  const vocabulary = {
    '@context': { '@version': 1.1, '@vocab': 'https://w3id.org/traceability/#undefinedTerm', id: '@id', type: '@type' },
  };
  const other = await provenMint(undefined, { linkedData: linkedData(), proofs: 'Ed25519Signature2018' }, (policy) => {
    for (const schema of policy.schemas)
      if (schema['name'] === 'Report')
        Object.assign(schema, { contextURL: 'https://contexts.example/report', context: vocabulary });
  });
  const report = JSON.parse(JSON.stringify(other.report)) as Json;
  await other.engine.close();
  return report;
}
