/** Logs of journals that an engine makes, as a verifier sees them: whole, changed, cut short and begun anew. */
import {
  createEngine,
  MemoryStore,
  SeededKeys,
  type Caller,
  type JournalEntry,
  type PolicyEngine,
} from '@blockwork/core';
import type { Change } from '@blockwork/core/adapter';
import { storyOf, verifyLog } from '@blockwork/verify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { journalLogProblems, plainLeaf } from '../../../test/support/journal-log.js';
import { logFiles, reading, type Files } from '../../../test/support/log-files.js';
import { drawn } from './support/mutations.js';

const MUTATIONS = 1_000;
const kinds = ['journal', 'journal-tree', 'journal-tile'] as const;
const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const policy = {
  name: 'Registry',
  description: 'A registry',
  policyTag: 'registry',
  config: { blockType: 'interfaceContainerBlock', permissions: ['ANY_ROLE'] },
};

/** An instance whose journal has so many entries since the publication. */
class Instance {
  readonly store = new MemoryStore();
  readonly engine: PolicyEngine = createEngine({ store: this.store, keys: new SeededKeys(new Uint8Array(32).fill(3)) });
  policyId = '';

  static async with(entries: number): Promise<Instance> {
    const instance = new Instance();
    instance.policyId = (await instance.engine.importPolicy(owner, policy)).policy.id;
    await instance.engine.lifecycle.publish(owner, instance.policyId, '1.0.0');
    await instance.add(entries - 1);
    return instance;
  }

  async add(entries: number): Promise<void> {
    for (let at = 0; at < entries; at += 1)
      await this.engine.program.documents.add(this.policyId, [
        { owner: owner.did, document: { type: ['VerifiableCredential'] } },
      ]);
  }

  async backup(): Promise<Change[]> {
    const all = await Promise.all(kinds.map((kind) => this.store.find(kind, this.policyId)));
    return all.flatMap((records, at) =>
      records.map((value) => ({ op: 'put', kind: kinds[at], partition: this.policyId, value }) as Change),
    );
  }

  async restore(backup: readonly Change[]): Promise<void> {
    const partition = this.policyId;
    const all = await Promise.all(kinds.map((kind) => this.store.find(kind, partition)));
    const removals = all.flatMap((records, at) =>
      records.map(({ id }) => ({ op: 'delete', kind: kinds[at], partition, id }) as Change),
    );
    await this.store.commit({ expect: {}, changes: [...removals, ...backup] });
  }

  /** The journal as it would be with these entries, and the tree of it. */
  async remake(entries: readonly JournalEntry[]): Promise<void> {
    const partition = this.policyId;
    const tree = (await this.store.get('journal-tree', partition, partition))!;
    const leaves = entries.map(plainLeaf);
    const changes: Change[] = [{ op: 'delete', kind: 'journal-tile', partition, id: '0/000000000000' }];
    for (const { id } of await this.store.find('journal', partition))
      changes.push({ op: 'delete', kind: 'journal', partition, id });
    for (const value of entries) changes.push({ op: 'put', kind: 'journal', partition, value });
    const value = { id: partition, first: tree.first, size: entries.length, entries: entries.map(({ id }) => id) };
    const hashes = Buffer.concat(leaves).toString('base64');
    changes.push({ op: 'put', kind: 'journal-tree', partition, value: { ...value, hashes } });
    await this.store.commit({ expect: {}, changes });
  }

  files(): Promise<Files> {
    return logFiles(this.engine, owner, this.policyId);
  }
}

let small: Instance;
let files: Files;
beforeAll(async () => {
  small = await Instance.with(21);
  files = await small.files();
});
afterAll(() => small.engine.close());

const wrongIn = async (changed: Files, earlier?: Files): Promise<string[]> => {
  const report = await verifyLog(reading(changed), earlier && { earlier: reading(earlier) });
  expect(report.ok).toBe(report.wrong.length === 0);
  return report.wrong.map(({ message }) => message);
};
const copy = (): Files => new Map([...files].map(([path, content]) => [path, Uint8Array.from(content)]));
const linesOf = (changed: Files): string[] =>
  Buffer.from(changed.get('journal/000.jsonl')!).toString().trim().split('\n');
const withLines = (lines: readonly string[]): Files =>
  new Map([...files, ['journal/000.jsonl', Buffer.from(`${lines.join('\n')}\n`)]]);

describe('a log that is whole', () => {
  it('holds, and the story says so', async () => {
    const report = await verifyLog(reading(files));
    expect(report).toMatchObject({ ok: true, wrong: [] });
    expect(storyOf(report)).toContain('with 21 entries');
    expect(report.unchecked.map(({ topic }) => topic)).toEqual(['log']);
  });

  it('holds with tiles at two levels, as a continuation of each earlier state', async () => {
    const instance = await Instance.with(250);
    const states = [await instance.files()];
    for (const more of [5, 1, 1, 20]) {
      await instance.add(more);
      states.push(await instance.files());
      for (const earlier of states) expect(await wrongIn(states.at(-1)!, earlier)).toEqual([]);
    }
    await instance.engine.close();
  });

  it('holds without the entries, and then says that it has not seen them', async () => {
    const public_ = new Map([...files].filter(([path]) => !path.startsWith('journal/')));
    const report = await verifyLog(reading(public_));
    expect(report.ok).toBe(true);
    expect(report.unchecked.map(({ topic }) => topic)).toEqual(['log', 'entries']);
  });

  it('is verified with a key that is known from elsewhere', async () => {
    const key = Buffer.from(files.get('key')!).toString();
    expect((await verifyLog(reading(files), { key })).unchecked).toEqual([]);
    const other = key.replace(/\+[\da-f]{8}\+/, '+00000000+');
    expect((await verifyLog(reading(files), { key: other })).wrong).toMatchObject([
      { message: 'the checkpoint: the key is not a key of signed notes' },
    ]);
  });
});

describe('a change is noticed, and named', () => {
  it('of the content of an entry', async () => {
    const lines = linesOf(files);
    const changed = lines.with(7, lines[7]!.replace(/"added":\["/, '"added":["x'));
    const { id } = JSON.parse(lines[7]!) as { id: string };
    expect(await wrongIn(withLines(changed))).toEqual([
      `the content of the entry ${id} was changed: what it says of documents or effects`,
    ]);
    const caused = lines.with(7, lines[7]!.replace('"importer"', '"retention"'));
    expect(await wrongIn(withLines(caused))).toEqual([
      `the content of the entry ${id} was changed: what started it or ran in it`,
    ]);
  });

  it('of an entry that is left out, or of two that are swapped', async () => {
    const lines = linesOf(files);
    const { id } = JSON.parse(lines[3]!) as { id: string };
    expect(await wrongIn(withLines(lines.toSpliced(3, 1)))).toEqual([`the content of the entry ${id} was removed`]);
    const swapped = lines.with(3, lines[4]!).with(4, lines[3]!);
    expect(await wrongIn(withLines(swapped))).toEqual([`the content of the entry ${id} was moved`]);
  });

  it('in the store: changed, removed or exchanged entries, before the log is exported', async () => {
    const instance = await Instance.with(30);
    const { store, engine, policyId } = instance;
    const [first, second, third, fourth] = await store.find('journal', policyId, { offset: 4, limit: 4 });
    const put = (value: typeof first): Promise<void> =>
      store.commit({ expect: {}, changes: [{ op: 'put', kind: 'journal', partition: policyId, value: value! }] });
    await put({ ...first!, at: '2001-01-01T00:00:00.000Z' });
    await store.commit({
      expect: {},
      changes: [{ op: 'delete', kind: 'journal', partition: policyId, id: second!.id }],
    });
    await put({ ...third!, documents: fourth!.documents });
    expect((await journalLogProblems(store, policyId)).length).toBeGreaterThan(0);
    const wrong = await wrongIn(await instance.files());
    expect(wrong).toContain(`the entry 4 (${first!.id}) was changed`);
    expect(wrong).toContain('the entry 5 was removed');
    expect(wrong).toContain(`the entry 6 (${third!.id}) was changed`);
    expect(wrong.some((message) => message.startsWith('the entry 7'))).toBe(false);
    await engine.close();
  });

  it('of a leaf and its hash, by the tile above', async () => {
    const instance = await Instance.with(513);
    const changed = await instance.files();
    const tile = Uint8Array.from(changed.get('tile/0/001')!);
    tile[40] = (tile[40] ?? 0) ^ 1;
    changed.set('tile/0/001', tile);
    expect(await wrongIn(changed)).toEqual(
      expect.arrayContaining(['tile/1/000.p/2 says that something among the entries 256 to 511 was changed']),
    );
    await instance.engine.close();
  });

  it(`none of ${String(MUTATIONS)} changed bytes is missed, in any file`, async () => {
    const random = drawn(3);
    const paths = [...files.keys()];
    const missed: string[] = [];
    for (let at = 0; at < MUTATIONS; at += 1) {
      const path = paths[at % paths.length] ?? '';
      const changed = copy();
      const content = changed.get(path)!;
      // The line break at the end of a file says nothing.
      const place = random(content.length - (path.startsWith('tile/') ? 0 : 1));
      content[place] = (content[place] ?? 0) ^ (1 + random(255));
      if ((await wrongIn(changed)).length === 0) missed.push(`${path} ${String(place)}`);
    }
    expect(missed).toEqual([]);
  });
});

describe('with what is known from earlier', () => {
  it('a log that came back from an old backup is noticed, also once it has grown again', async () => {
    const instance = await Instance.with(20);
    const backup = await instance.backup();
    await instance.add(15);
    const witnessed = await instance.files();
    const checkpoint: Files = new Map([['checkpoint', witnessed.get('checkpoint')!]]);
    await instance.restore(backup);
    const shorter = 'it is shorter than it was: entries 20 to 34 are gone, as after the return of an old backup';
    expect(await wrongIn(await instance.files(), checkpoint)).toEqual([shorter]);
    await instance.add(16);
    const grown = await instance.files();
    expect(await wrongIn(grown)).toEqual([]);
    const other = 'its first 35 entries are not those of the earlier checkpoint';
    expect(await wrongIn(grown, checkpoint)).toEqual([other]);
    const named = Array.from(
      { length: 15 },
      (_, at) => `the entry ${String(20 + at)} (${String(22 + at).padStart(12, '0')}) was removed since`,
    );
    expect(await wrongIn(grown, witnessed)).toEqual([...named, other]);
    await instance.engine.close();
  });

  it('an entry is named that was removed, moved, changed or put in before the whole tree was made anew', async () => {
    const instance = await Instance.with(40);
    const known = await instance.files();
    const journal = await instance.store.find('journal', instance.policyId);
    const [one, two, three] = [journal[7]!, journal[21]!, journal[30]!];
    const remade = async (entries: readonly JournalEntry[]): Promise<string[]> => {
      await instance.remake(entries);
      const wrong = await wrongIn(await instance.files(), known);
      return wrong.filter((message) => / since|^it is shorter/.test(message));
    };
    expect(await remade(journal)).toEqual([]);
    expect(await remade(journal.toSpliced(7, 1))).toEqual([
      'it is shorter than it was: entries 39 to 39 are gone, as after the return of an old backup',
      `the entry 7 (${one.id}) was removed since`,
    ]);
    expect(await remade(journal.with(21, { ...two, effects: ['one more'] }))).toEqual([
      `the entry 21 (${two.id}) was changed since`,
    ]);
    expect(await remade([...journal.toSpliced(30, 1), three])).toEqual([
      `the entry 30 (${three.id}) was moved since: it is the entry 39 now`,
    ]);
    const added = { ...three, id: `${three.id.slice(0, -2)}99` };
    expect(await remade(journal.toSpliced(31, 0, added))).toEqual([`the entry 31 (${added.id}) was put in since`]);
    await instance.engine.close();
  });

  it('a log that was begun anew is another one', async () => {
    const other = await Instance.with(25);
    expect(await wrongIn(await other.files(), files)).toEqual([
      expect.stringMatching(/^it was begun anew: the earlier checkpoint is that of the log blockwork\//),
    ]);
    await other.engine.close();
  });

  it('what is known must be signed as well', async () => {
    const forged = Buffer.from(files.get('checkpoint')!).toString().replace('\n21\n', '\n20\n');
    expect(await wrongIn(files, new Map([['checkpoint', Buffer.from(forged)]]))).toEqual([
      'the earlier checkpoint: its signature does not fit what it says',
      'its first 20 entries are not those of the earlier checkpoint',
    ]);
  });
});
