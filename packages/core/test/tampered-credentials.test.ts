/** Credentials that were tampered with: every change is refused with a reason, whatever its kind, and nothing is thrown. */
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryStore } from '../src/memory/index.js';
import { randomIds, SeededKeys } from '../src/defaults/index.js';
import type { Json, JsonObject } from '../src/records/index.js';
import { PolicyCredentialsWriter } from '../src/context/index.js';
import { UnitOfWork } from '../src/transactions/index.js';

const ALICE = 'did:example:alice';
const clock = { now: () => Date.UTC(2026, 0, 1) };

/** Every place in a document that holds a value which is no list and no object, and empty ones. */
function leavesOf(value: Json, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  const below = Object.entries(value).flatMap(([key, member]) => leavesOf(member, [...path, key]));
  return below.length === 0 ? [path] : below;
}

function changeAt(document: JsonObject, path: readonly string[], change: (old: Json) => Json): JsonObject {
  const copy = structuredClone(document);
  let place = copy;
  for (const key of path.slice(0, -1)) place = place[key] as JsonObject;
  const last = path.at(-1) ?? '';
  Object.defineProperty(place, last, { value: change(place[last] ?? null), enumerable: true });
  return copy;
}

describe('a credential that was tampered with', () => {
  let credentials: PolicyCredentialsWriter;
  const issue = (subject: JsonObject): Promise<JsonObject> => credentials.issue({ issuer: ALICE, subject });
  const reasonOf = async (document: unknown): Promise<string> =>
    (await credentials.verify(document as JsonObject)).reason;

  beforeEach(async () => {
    const unit = await UnitOfWork.begin(new MemoryStore(), []);
    credentials = new PolicyCredentialsWriter(unit, { keys: new SeededKeys(), clock, ids: randomIds });
  });

  it('is refused for any single value changed, removed or added, in a presentation too', async () => {
    const one = await credentials.issue({
      issuer: ALICE,
      group: 'g',
      subject: { a: [1, { b: null }], c: '', d: {} },
      evidence: [{}],
    });
    const documents = [one, await credentials.present('did:example:bob', [one, await issue({ e: false })])];
    for (const document of documents) {
      for (const path of leavesOf(document)) {
        const changes: ((old: Json) => Json)[] = [
          (old) => (typeof old === 'string' ? `${old}x` : 'x'),
          (old) => (typeof old === 'string' && old !== '' ? old.slice(0, -1) : [old]),
          () => true,
          () => ({ x: 1 }),
        ];
        for (const change of changes) {
          expect(await reasonOf(changeAt(document, path, change)), path.join('.')).not.toBe('');
        }
      }
      for (const key of Object.keys(document)) {
        const { [key]: _, ...rest } = document;
        expect(await reasonOf(rest), `without ${key}`).not.toBe('');
      }
      expect(await reasonOf({ ...document, more: null })).not.toBe('');
      expect(await reasonOf({ ...document, ['__proto__']: null })).not.toBe('');
    }
  });

  it('is refused for a change anywhere, whatever its subject is', async () => {
    const subjects = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue());
    await fc.assert(
      fc.asyncProperty(subjects, fc.nat(), async (subject, choice) => {
        const credential = await issue(subject as JsonObject);
        const leaves = leavesOf(credential);
        const path = leaves[choice % leaves.length] ?? [];
        const changed = changeAt(credential, path, (old) => (typeof old === 'string' ? `${old}x` : 'x'));
        expect(await reasonOf(changed)).not.toBe('');
        expect(await reasonOf(credential)).toBe('');
      }),
    );
  });

  it('is refused for whatever was put into it', async () => {
    const good = await issue({ a: 1 });
    const deep: JsonObject = {};
    let place = deep;
    for (let level = 0; level < 50_000; level += 1) place = place.x = {};
    const hostile: unknown[] = [
      null,
      undefined,
      [],
      [good],
      'text',
      5,
      {},
      { type: 'VerifiableCredential' },
      { type: { includes: 1 } },
      { ...good, type: ['VerifiableCredential', 'VerifiablePresentation'] },
      { ...good, issuer: null },
      { ...good, issuer: { id: { id: ALICE } } },
      { ...good, issuer: [ALICE] },
      { ...good, issuer: '__proto__' },
      { ...good, issuer: 'constructor' },
      { ...good, issuer: 'did:key:z6Mk' },
      { ...good, credentialSubject: deep },
      { ...good, proof: null },
      { ...good, proof: [] },
      { ...good, proof: { ...(good.proof as JsonObject), proofPurpose: 'constructor' } },
      { ...good, proof: { ...(good.proof as JsonObject), proofPurpose: 'authentication' } },
      { ...good, proof: { ...(good.proof as JsonObject), '@context': { a: 1 } } },
      { type: ['VerifiablePresentation'], holder: 5 },
    ];
    for (const document of hostile) expect(await reasonOf(document)).toMatch(/^The .+\.$/);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.keys(good)), fc.anything(), async (key, value) => {
        expect(await reasonOf({ ...good, [key]: value })).toMatch(/^The .+\.$/);
      }),
      { numRuns: 300 },
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.keys(good.proof as JsonObject)), fc.anything(), async (key, value) => {
        expect(await reasonOf({ ...good, proof: { ...(good.proof as JsonObject), [key]: value } })).toMatch(
          /^The .+\.$/,
        );
      }),
      { numRuns: 300 },
    );
  });
});
