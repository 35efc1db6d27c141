/** The log of a journal: a leaf for each entry, in the same commit, whatever happens to the entries afterwards. */
import { createHash, createPublicKey, verify } from 'node:crypto';
import {
  BlockworkError,
  createEngine,
  MemoryStore,
  SeededKeys,
  type Caller,
  type LogCheckpoint,
  type PolicyEngine,
} from '@blockwork/core';
import { block, documents } from '@blockwork/testing';
import { verifyConsistency } from '../src/transparency/merkle.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { journalEntries, journalLogProblems, plainLeaf, plainRoot } from '../../../test/support/journal-log.js';

const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const user: Caller = { did: 'did:example:user', role: 'USER' };
const policy = {
  name: 'Registry',
  description: 'A registry',
  policyTag: 'registry',
  policyRoles: ['Installer'],
  config: block('interfaceContainerBlock', '', {
    permissions: ['ANY_ROLE'],
    children: [block('policyRolesBlock', 'roles', { roles: ['Installer'], permissions: ['NO_ROLE'] })],
  }),
};

let store: MemoryStore;
let engine: PolicyEngine;
let policyId: string;

beforeEach(async () => {
  store = new MemoryStore();
  engine = createEngine({ store, keys: new SeededKeys(new Uint8Array(32).fill(7)) });
  policyId = (await engine.importPolicy(owner, policy)).policy.id;
});
afterEach(() => engine.close());

const addAll = async (count: number): Promise<void> => {
  for (let at = 0; at < count; at += 1) await engine.program.documents.add(policyId, documents(1));
};
const checkpoint = () => engine.journalLog.checkpoint(owner, policyId);
const rootNow = async (): Promise<string> => {
  const leaves = (await journalEntries(store, policyId)).map(plainLeaf);
  return plainRoot(leaves).toString('base64');
};

describe('the log of a journal', () => {
  it('has a leaf for each entry, at every size on both sides of a full tile', async () => {
    for (let size = 1; size <= 530; size += 1) {
      await addAll(1);
      if (size > 34 && size % 256 > 2 && size % 256 < 254 && size % 61 > 0) continue;
      expect(await journalLogProblems(store, policyId)).toEqual([]);
      expect(await checkpoint()).toMatchObject({ size, root: await rootNow() });
    }
  });

  it('is there for units that come at the same time, and for those of two engines on one store', async () => {
    const other = createEngine({ store });
    await Promise.all(
      Array.from({ length: 60 }, (_, at) =>
        (at % 3 === 0 ? other : engine).program.documents.add(policyId, documents(1)),
      ),
    );
    expect(await journalLogProblems(store, policyId)).toEqual([]);
    expect(await checkpoint()).toMatchObject({ size: 60 });
    await other.close();
  });

  it('stays as it is when entries move to the archive', async () => {
    engine = createEngine({ store, limits: { journalEntries: 50 } });
    await addAll(120);
    await vi.waitFor(async () => expect(await store.count('journal-archive', policyId)).toBeGreaterThan(0), {
      timeout: 60_000,
    });
    await addAll(20);
    expect(await journalLogProblems(store, policyId)).toEqual([]);
    const [oldest] = await journalEntries(store, policyId);
    expect(await engine.journalLog.proof(owner, policyId, oldest!.id)).toMatchObject({ index: 0 });
  });

  it('begins anew, under another name, with a trial and with the publication', async () => {
    await addAll(20);
    const draft = await checkpoint();
    await engine.lifecycle.dryRun(owner, policyId);
    const trial = await checkpoint();
    await engine.lifecycle.publish(owner, policyId, '1.0.0');
    const published = await checkpoint();
    expect([draft.size, trial.size, published.size]).toEqual([20, 1, 1]);
    expect(new Set([draft, trial, published].map(({ origin }) => origin)).size).toBe(3);
    expect(await journalLogProblems(store, policyId)).toEqual([]);
  });

  it('is proven to continue each earlier state of itself, and none that it never was', async () => {
    const roots: string[] = [];
    for (let size = 1; size <= 40; size += 1) {
      await addAll(1);
      roots.push((await checkpoint()).root);
      for (const [at, root] of roots.entries()) {
        const proof = await engine.journalLog.consistency(owner, policyId, at + 1);
        expect(proof).toMatchObject({ earlier: at + 1, root, checkpoint: { size } });
        const bytes = (text: string): Buffer => Buffer.from(text, 'base64');
        const claim = { earlier: at + 1, size, earlierRoot: bytes(root), root: bytes(roots.at(-1)!) };
        expect(verifyConsistency({ ...claim, proof: proof.hashes.map(bytes) })).toBe(true);
      }
    }
    const asked = (earlier: number) => engine.journalLog.consistency(owner, policyId, earlier);
    await expect(asked(41)).rejects.toMatchObject({ code: 'LOG_SHORTER', facts: { size: 40, earlier: 41 } });
    for (const none of [0, -1, 1.5, NaN]) await expect(asked(none)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  });

  it('is not in a bundle where its key is missing, unless the bundle has to continue an earlier one', async () => {
    await addAll(2);
    const [document] = (await engine.documents.list(owner, policyId)).items;
    const keyless = new SeededKeys(new Uint8Array(32).fill(7));
    keyless.sign = (did) => Promise.reject(new BlockworkError('KEY_UNAVAILABLE', { facts: { did } }));
    const other = createEngine({ store, keys: keyless });
    expect((await other.documents.bundle(owner, policyId, document!.id)).log).toBeUndefined();
    const asked = other.documents.bundle(owner, policyId, document!.id, { since: 1 });
    await expect(asked).rejects.toMatchObject({ code: 'KEY_UNAVAILABLE' });
    await other.close();
  });

  it('proves the hash of an entry that was deleted from the archive', async () => {
    await addAll(3);
    const [, second] = await journalEntries(store, policyId);
    const before = await engine.journalLog.proof(owner, policyId, second!.id);
    expect(before.hash).toBe(plainLeaf(second!).toString('base64'));
    const removal = { op: 'delete', kind: 'journal', partition: policyId, id: second!.id } as const;
    await store.commit({ expect: {}, changes: [removal] });
    expect(await engine.journalLog.proof(owner, policyId, second!.id)).toEqual({ ...before, leaf: null });
  });

  it('goes back with a trial to a savepoint, and on from there', async () => {
    await engine.lifecycle.dryRun(owner, policyId);
    await addAll(15);
    const { id } = await engine.trials.makeSavepoint(owner, policyId, 'here');
    await addAll(40);
    await engine.trials.restoreSavepoint(owner, policyId, id);
    expect(await journalLogProblems(store, policyId)).toEqual([]);
    await addAll(300);
    expect(await journalLogProblems(store, policyId)).toEqual([]);
  });

  it('begins with the next entry of a journal that was written without it', async () => {
    await addAll(2);
    const removal = { op: 'delete', kind: 'journal-tree', partition: policyId, id: policyId } as const;
    await store.commit({ expect: {}, changes: [removal] });
    await expect(checkpoint()).rejects.toMatchObject({ code: 'LOG_UNKNOWN' });
    await addAll(3);
    const { first, size } = await checkpoint();
    const all = await journalEntries(store, policyId);
    expect([first, size]).toEqual([all.at(-3)?.id, 3]);
    await expect(engine.journalLog.proof(owner, policyId, all[0]!.id)).rejects.toMatchObject({
      code: 'JOURNAL_ENTRY_UNKNOWN',
    });
  });

  it('is for everybody who sees the policy', async () => {
    await addAll(1);
    await expect(engine.journalLog.checkpoint(user, policyId)).rejects.toMatchObject({ code: 'POLICY_UNKNOWN' });
    await engine.lifecycle.publish(owner, policyId, '1.0.0');
    expect(await engine.journalLog.checkpoint(user, policyId)).toMatchObject({ size: 1 });
    expect(await engine.journalLog.tile(user, policyId, 'tile/0/000.p/1')).toHaveLength(32);
    await expect(engine.journal.list(user, policyId)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  });
});

describe('the tiles of a log', () => {
  it('are those of the specification, and the leaves are in its bundles', async () => {
    await addAll(300);
    const leaves = (await journalEntries(store, policyId)).map(plainLeaf);
    const read = (path: string): Promise<Uint8Array> => engine.journalLog.tile(owner, policyId, path);
    expect(Buffer.from(await read('tile/0/000'))).toEqual(Buffer.concat(leaves.slice(0, 256)));
    expect(Buffer.from(await read('tile/0/001.p/44'))).toEqual(Buffer.concat(leaves.slice(256)));
    expect(Buffer.from(await read('tile/0/001.p/3'))).toEqual(Buffer.concat(leaves.slice(256, 259)));
    expect(Buffer.from(await read('tile/1/000.p/1'))).toEqual(plainRoot(leaves.slice(0, 256)));
    const bundles = Buffer.concat([await read('tile/entries/000'), await read('tile/entries/001.p/44')]);
    expect(dataIn(bundles).map((data) => sha256('\x00', data))).toEqual(leaves);
    for (const path of [
      'tile/0/001',
      'tile/0/001.p/45',
      'tile/1/000',
      'tile/2/000.p/1',
      'tile/0/002.p/1',
      'checkpoint',
    ]) {
      await expect(read(path)).rejects.toMatchObject({ code: 'LOG_TILE_UNKNOWN' });
    }
  });

  it('leave an empty place for an entry that is nowhere any more', async () => {
    await addAll(5);
    const [, second] = await journalEntries(store, policyId);
    const removal = { op: 'delete', kind: 'journal', partition: policyId, id: second!.id } as const;
    await store.commit({ expect: {}, changes: [removal] });
    const data = dataIn(Buffer.from(await engine.journalLog.tile(owner, policyId, 'tile/entries/000.p/5')));
    expect(data.map(({ length }) => length > 0)).toEqual([true, false, true, true, true]);
  });
});

describe('a checkpoint', () => {
  it('is a note that the key of the instance has signed', async () => {
    await addAll(20);
    const { note, key, origin, size, root } = await checkpoint();
    const [text, signatures] = [note.slice(0, note.indexOf('\n\n') + 1), note.slice(note.indexOf('\n\n') + 2)];
    expect(text).toBe(`${origin}\n${String(size)}\n${root}\n`);
    const [, name = '', id = '', publicKey = ''] = /^(.*)\+([\da-f]{8})\+(.*)$/.exec(key) ?? [];
    const [, signer, signed = ''] = /^— (\S+) (\S+)\n$/.exec(signatures) ?? [];
    expect([name, signer]).toEqual([origin, origin]);
    const [kindAndKey, signature] = [Buffer.from(publicKey, 'base64'), Buffer.from(signed, 'base64')];
    expect(kindAndKey[0]).toBe(1);
    expect(sha256(`${origin}\n`, kindAndKey).subarray(0, 4).toString('hex')).toBe(id);
    expect(signature.subarray(0, 4).toString('hex')).toBe(id);
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: kindAndKey.subarray(1).toString('base64url') };
    const ed25519 = createPublicKey({ key: jwk, format: 'jwk' });
    expect(verify(null, Buffer.from(text), ed25519, signature.subarray(4))).toBe(true);
  });

  it('says the same for as long as nothing is added', async () => {
    await addAll(3);
    const first: LogCheckpoint = await checkpoint();
    expect(await checkpoint()).toEqual(first);
  });
});

/** The data of the leaves in bundles, each after its length in two bytes. */
function dataIn(bundle: Buffer): Buffer[] {
  const data: Buffer[] = [];
  for (let at = 0; at < bundle.length;) {
    const end = at + 2 + bundle.readUInt16BE(at);
    data.push(bundle.subarray(at + 2, end));
    at = end;
  }
  return data;
}

function sha256(...parts: (Buffer | string)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
