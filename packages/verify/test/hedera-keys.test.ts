/** Keys of `did:hedera` in bundles: the hash in the DID proves them. */
import { hederaDids } from '@blockwork/ledger-hedera';
import { toBase58 } from '../src/crypto/base58.js';
import { describe, expect, it } from 'vitest';
import type { Bundle } from '../src/contents/bundle.js';
import { checkKeys, didDocumentProblem, keyLookup } from '../src/checks/keys.js';
import type { JsonObject } from '../src/json.js';
import { Findings } from '../src/report/report.js';

const dids = hederaDids({ network: 'testnet', topic: '0.0.1234' });
const { did, document } = dids.identityOf(new Uint8Array(32).fill(7));
const other = dids.identityOf(new Uint8Array(32).fill(8)).document;

const toMultikey = (key: Uint8Array): string => `z${toBase58(Uint8Array.of(0xed, 1, ...key))}`;

const changed = (method: object, more: object = {}): JsonObject => {
  const [own] = document['verificationMethod'] as JsonObject[];
  return { ...document, verificationMethod: [{ ...own, ...method }], ...more };
};

describe('the document of a did:hedera', () => {
  it('is consistent, and gives its key for the method that it names', async () => {
    expect(await didDocumentProblem(did, document)).toBeNull();
    const identities = new Map([[did, { did, document, keys: [] }]]);
    const lookup = keyLookup({ identities }, did, ['assertionMethod']);
    const purpose = 'assertionMethod';
    expect(await lookup({ verificationMethod: `${did}#did-root-key`, purpose })).toHaveProperty('multikey');
    expect(await lookup({ verificationMethod: `${did}#other`, purpose })).toHaveProperty('reason');
  });

  it('of a member may have keys as those of any DID, which the DID does not prove', async () => {
    const key = 'z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp';
    const id = `${did}#${key}`;
    const method = { id, type: 'Multikey', controller: did, publicKeyMultibase: key };
    const ofMember = { id: did, verificationMethod: [method], assertionMethod: [id], authentication: [id] };
    expect(await didDocumentProblem(did, ofMember)).toBeNull();
    const identities = new Map([[did, { did, document: ofMember, keys: [] }]]);
    const facts = { verificationMethod: id, purpose: 'assertionMethod' };
    expect(await keyLookup({ identities }, did, ['assertionMethod'])(facts)).toEqual({ multikey: key });
    const findings = new Findings();
    const bundle = { identities: [...identities.values()] } as unknown as Bundle;
    await checkKeys({ bundle, findings, identities } as unknown as Parameters<typeof checkKeys>[0]);
    expect(findings.wrong).toEqual([]);
    expect(findings.unchecked).toMatchObject([{ message: expect.stringContaining(key) as string }]);
  });

  it('has a registered key under the name of the root if the DID is made of it, until it is revoked', async () => {
    const [own, foreign] = [7, 8].map((byte) => toMultikey(new Uint8Array(32).fill(byte)));
    const registered = { member: did, createDate: '2026-01-01T00:00:00Z' };
    const lookup = (key: string | undefined, revokeDate?: string) =>
      keyLookup(
        {
          identities: new Map([
            [did, { did, keys: [{ key: key ?? '', ...registered, ...(revokeDate && { revokeDate }) }] }],
          ]),
        },
        did,
        ['assertionMethod'],
      )({ verificationMethod: `${did}#did-root-key`, purpose: 'assertionMethod', created: Date.UTC(2026, 5) });
    expect(await lookup(own)).toEqual({ multikey: own });
    expect(await lookup(foreign)).toHaveProperty('reason');
    expect(await lookup(own, '2026-02-01T00:00:00Z')).toHaveProperty('reason');
  });

  it('proves a registered key as well, but not after it was revoked', async () => {
    const own = toMultikey(new Uint8Array(32).fill(7));
    const identityWith = (key: string, revokeDate?: string) => ({
      did,
      document,
      keys: [{ key, member: did, createDate: '2026-01-01T00:00:00Z', ...(revokeDate && { revokeDate }) }],
    });
    const lookup = (key: string, revokeDate?: string) =>
      keyLookup({ identities: new Map([[did, identityWith(key, revokeDate)]]) }, did, ['assertionMethod'])({
        verificationMethod: `${did}#did-root-key`,
        purpose: 'assertionMethod',
        created: Date.UTC(2026, 5),
      });
    expect(await lookup(own)).toEqual({ multikey: own });
    expect(await lookup(own, '2026-07-01T00:00:00Z')).toEqual({ multikey: own });
    expect(await lookup(own, '2026-02-01T00:00:00Z')).toEqual({ reason: 'its key was revoked before' });
    const other = toMultikey(new Uint8Array(32).fill(8));
    expect(await lookup(other, '2026-02-01T00:00:00Z')).toEqual({ multikey: own });
    const unchecked = async (key: string): Promise<number> => {
      const findings = new Findings();
      const identities = new Map([[did, identityWith(key)]]);
      const bundle = { identities: [...identities.values()] } as unknown as Bundle;
      await checkKeys({ bundle, findings, identities } as unknown as Parameters<typeof checkKeys>[0]);
      expect(findings.wrong).toEqual([]);
      return findings.unchecked.length;
    };
    expect([await unchecked(own), await unchecked(other)]).toEqual([0, 1]);
  });

  it.each<[string, JsonObject, string]>([
    ['another DID', { ...other }, 'of another identity'],
    [
      'another key',
      changed({ publicKeyBase58: (other['verificationMethod'] as JsonObject[])[0]?.['publicKeyBase58'] }),
      'not the one in the DID',
    ],
    ['no key', changed({ publicKeyBase58: 'x' }), 'no Ed25519 key'],
    ['another controller', changed({ controller: 'did:example:x' }), 'another identity controls'],
    ['a key of another name', changed({ id: `${did}#x` }), 'no Ed25519 key under the name'],
    ['no key for assertions', changed({}, { assertionMethod: [] }), 'not for assertions'],
  ])('with %s is not', async (_, wrong, problem) => {
    expect(await didDocumentProblem(did, wrong)).toContain(problem);
  });
});
