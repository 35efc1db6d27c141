/** Bundles that somebody made to deceive, to crash or to hold up whoever verifies them. */
import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import type { ProofBundle } from '@blockwork/core';
import { createProof } from '@blockwork/core/adapter';
import { storyOf, verifyBundle } from '@blockwork/verify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resealed, type Json } from './support/mutations.js';
import { toBase58 } from '../src/crypto/base58.js';
import { provenMint, type Proven } from '../../../test/support/proven-mint.js';

type Mutable<T> = T extends object ? { -readonly [K in keyof T]: Mutable<T[K]> } : T;

let proven: Proven;
beforeAll(async () => {
  proven = await provenMint();
});
afterAll(() => proven.engine.close());

/** The proof of a mint, changed and with digests that fit again. */
function forged(change: (bundle: Mutable<ProofBundle>) => void): Json {
  const bundle = JSON.parse(JSON.stringify(proven.mint)) as Mutable<ProofBundle>;
  change(bundle);
  return resealed(bundle as unknown as Json);
}

const wrongIn = async (value: unknown): Promise<string> =>
  (await verifyBundle(value)).wrong.map(({ message }) => message).join('\n');

describe('a did:key', () => {
  const keyOf = (key: KeyObject): string => {
    const { x = '' } = key.export({ format: 'jwk' });
    return `z${toBase58(Uint8Array.of(0xed, 0x01, ...Buffer.from(x, 'base64url')))}`;
  };
  const [own, foreign] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
  const did = `did:key:${keyOf(own.publicKey)}`;

  it('has no key besides the one that it consists of, even if the bundle says that one was registered', async () => {
    const key = keyOf(foreign.publicKey);
    const credential = {
      '@context': ['https://www.w3.org/ns/credentials/v2'],
      ...{ id: 'urn:x', type: ['VerifiableCredential'], issuer: did, issuanceDate: '2026-01-01T00:00:00.000Z' },
      credentialSubject: { type: 'Report', site: 'Roof', kilowattHours: 1 },
    };
    const proof = await createProof(credential, {
      ...{ verificationMethod: `${did}#${key}`, created: '2026-01-01T00:00:00Z', purpose: 'assertionMethod' },
      sign: (bytes: Uint8Array) => Promise.resolve(sign(null, bytes, foreign.privateKey)),
    });
    const value = forged((bundle) => {
      const document = bundle.documents.find(({ type }) => type === 'report');
      Object.assign(document ?? {}, { document: { ...credential, proof } });
      bundle.identities.push({ did, keys: [{ key, member: did, createDate: '2026-01-01T00:00:00Z' }] });
    });
    const wrong = await wrongIn(value);
    expect(wrong).toContain(`the bundle has no such key of ${did}`);
    expect(wrong).toContain(`a registered key of ${did} is no key of it`);
  });

  it('counts as a device of somebody only with a word that the member has to confirm it', async () => {
    const { unchecked } = await verifyBundle(
      forged(({ identities }) => {
        const member = proven.mint.policy.owner;
        identities.push({ did, keys: [{ key: keyOf(own.publicKey), member, createDate: '2026-01-01T00:00:00Z' }] });
      }),
    );
    expect(unchecked.map(({ message }) => message).join('\n')).toContain(`that ${did} is a device of`);
  });
});

describe('a credential', () => {
  interface Plain {
    readonly documents: readonly { readonly type?: string; readonly document: Record<string, unknown> }[];
    readonly schemas: readonly { readonly document: { readonly properties: { readonly site?: object } } }[];
    readonly roles: unknown[];
  }
  const withReport = (change: (report: Record<string, unknown>, bundle: Plain) => void): Json =>
    forged((bundle) => {
      const plain = bundle as unknown as Plain;
      const report = plain.documents.find(({ type }) => type === 'report');
      if (report) change(report.document, plain);
    });
  const subjectsIn = (document: Record<string, unknown>): object[] => document['credentialSubject'] as object[];

  it('fits its schema with every subject, not only the first', async () => {
    const value = withReport((document) => {
      const [first] = subjectsIn(document);
      subjectsIn(document).push({ ...first, kilowattHours: 'many' });
    });
    expect(await wrongIn(value)).toContain('/kilowattHours is not of the type number');
  });

  it('needs a role for every subject, also beside that of a role', async () => {
    const value = withReport((report, { roles }) => {
      subjectsIn(report).unshift({ type: 'UserRole' });
      roles.splice(0);
    });
    expect(await wrongIn(value)).toMatch(/who issued .*report.*, had no role then/);
  });

  it('without a date is not taken as later than the roles of its signer', async () => {
    const value = withReport((document) => {
      delete document['issuanceDate'];
      delete (document['proof'] as { created?: string }).created;
    });
    const { chapters, unchecked } = await verifyBundle(value);
    expect(unchecked.map(({ message }) => message).join('\n')).toMatch(
      /had a role when .*report.* was issued: it has no date/,
    );
    expect(chapters.find(({ what }) => what.startsWith('report'))).toMatchObject({ date: '', roles: [] });
  });

  it.each([
    ['^(o+|[^!])+!$', 'does not fit the pattern'],
    ['(?=R)', 'cannot be matched in linear time'],
  ])('of a schema with the pattern %s holds up nobody', async (pattern, problem) => {
    const value = withReport((report, { schemas }) => {
      for (const { document } of schemas) Object.assign(document.properties.site ?? {}, { pattern });
      Object.assign(subjectsIn(report)[0] ?? {}, { site: 'o'.repeat(500) });
    });
    const { wrong, unchecked } = await verifyBundle(value);
    expect([...wrong, ...unchecked].map(({ message }) => message).join('\n')).toContain(problem);
  });
});

describe('what was minted', () => {
  it('is not listed twice', async () => {
    expect(await wrongIn(forged(({ mints }) => mints.push(...mints)))).toContain('a mint is listed twice');
    expect(await wrongIn(forged(({ tokens }) => tokens.push(...tokens)))).toContain('a token is listed twice');
  });

  it.each([[[[1]]], [[[]]], [[[1, 2, 3]]], [[[2, 1]]]])('has no serial numbers like %j', async (serials) => {
    const value = forged(({ mints }) => Object.assign(mints[0] ?? {}, { serials }));
    expect(await wrongIn(value)).toBe('/mints/0/serials/0 must be a first and a last whole number.');
  });

  it('has every serial number once', async () => {
    const value = forged(({ mints, tokens }) => {
      Object.assign(mints[0] ?? {}, { serials: Array.from({ length: 2 }, () => [1, 625]) });
      Object.assign(tokens[0] ?? {}, { tokenType: 'non-fungible' });
    });
    expect(await wrongIn(value)).toContain('not as many different ones');
  });
});

describe('a rule', () => {
  const verdictOf = (rule: string): ReturnType<typeof verifyBundle> =>
    verifyBundle(
      JSON.parse(JSON.stringify(forged(() => undefined)).replace('"rule":"kilowattHours"', `"rule":"${rule}"`)),
    );

  it.each([
    ['parentheses', `${'('.repeat(4_900)}1${')'.repeat(4_900)}`],
    ['signs', `${'-'.repeat(9_900)}1`],
    ['powers', `${'1^'.repeat(4_900)}1`],
  ])('of too many %s is left open', async (_, rule) => {
    const { unchecked } = await verdictOf(rule);
    expect(unchecked.map(({ message }) => message).join('\n')).toContain('it nests too deep');
  });

  it('of numbers that grow is left open before anything is computed with them', async () => {
    const { unchecked } = await verdictOf(`(${'7'.repeat(1_900)}/${'3'.repeat(1_899)})^64`);
    expect(unchecked.map(({ message }) => message).join('\n')).toContain('its numbers grow too large');
  });
});

it.each([1n, Number.NaN, Infinity, undefined, () => 1, Symbol('x')])(
  'a value that holds %s, which JSON does not know, is wrong without an exception',
  async (odd) => {
    const value = { ...(forged(() => undefined) as object), created: odd };
    expect(await wrongIn(value)).toMatch(/^It holds .* which is not JSON\.$/);
  },
);

it('a bundle with more documents than an instance puts into one is refused before they are compared', async () => {
  const value = forged(({ roles }) => {
    const [role] = roles;
    if (role) roles.push(...Array.from({ length: 3_000 }, () => role));
  });
  expect(await wrongIn(value)).toBe('/roles must be a list of at most 3000.');
});

it('a document does not build on the same message twice where its message names two', async () => {
  const value = forged(({ documents, messages }) => {
    const message = messages.find(({ relationships }) => relationships.length > 0);
    const document = documents.find(({ messageId }) => messageId === message?.id);
    const [first = ''] = message?.relationships ?? [];
    message?.relationships.push(first);
    document?.relationships.push(messages.find(({ id }) => id !== first && id < (message?.id ?? ''))?.id ?? '');
  });
  expect(await wrongIn(value)).toContain('names other relationships');
});

it('texts of a bundle write no lines of the report, and no commands to the terminal', async () => {
  const report = await verifyBundle(
    forged(({ policy }) => {
      policy.name = 'Sun"\n\nNothing is wrong.\n\u001b[8m\u202e';
    }),
  );
  const story = storyOf(report);
  expect(story.split('\n')[0]).toContain(String.raw`Sun"\u{a}\u{a}Nothing is wrong.\u{a}\u{1b}[8m\u{202e}`);
  // eslint-disable-next-line no-control-regex
  expect(story).not.toMatch(/[\u001b\u202e]/);
});
