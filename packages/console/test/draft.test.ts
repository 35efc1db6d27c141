/** Edits of a draft that follow each other before the first is saved: each is made of what those before it have left. */
import { describe, expect, it } from 'vitest';
import { Draft } from '../app/studio/draft/draft.js';
import { appending, type EditOperation, removing, setting, type Source } from '../app/studio/draft/operations.js';

/** Saves when it is told to. What the page has read is as old as the last `refresh`. */
function draftOf(block: Source) {
  const saved: (readonly EditOperation[])[] = [];
  let [stored, read, revision] = [block, block, 1];
  const queue: (() => void)[] = [];
  const unused = () => Promise.reject(new Error('not used here'));
  const draft = new Draft({
    undo: unused,
    replace: unused,
    sourceOf: (id) => (id === 'b' ? read : undefined),
    edit: async (operations) => {
      await new Promise<void>((resolve) => queue.push(resolve));
      saved.push(operations);
      for (const operation of operations) stored = carriedOut(stored, operation);
      revision += 1;
      return { revision, edit: null };
    },
    refresh: () => {
      read = stored;
      return Promise.resolve(revision);
    },
  });
  draft.show(1);
  const saveAll = async (): Promise<void> => {
    for (let turns = 0; turns < 50; turns += 1) {
      queue.shift()?.();
      await Promise.resolve();
    }
    await draft.settled();
  };
  return { draft, saved, saveAll, block: () => stored };
}

/** As the server does for paths of one or two steps. */
function carriedOut(block: Source, operation: EditOperation): Source {
  if (operation.op !== 'setOption' && operation.op !== 'unsetOption') throw new Error(operation.op);
  const [name = '', step] = operation.path.split('/').slice(1);
  const changed = structuredClone(block) as Record<string, unknown>;
  const holder = (step === undefined ? changed : changed[name]) as Record<string, unknown>;
  const key = step ?? name;
  if (operation.op === 'setOption') holder[key] = operation.value;
  else if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else Reflect.deleteProperty(holder, key);
  return changed;
}

describe('clicks that follow each other while edits are being saved', () => {
  it('add two entries to a list', async () => {
    const { draft, saveAll, block } = draftOf({});
    void draft.edit(appending('b', ['permissions'], 'Producer'));
    void draft.edit(appending('b', ['permissions'], 'Verifier'));
    await saveAll();
    expect(block()).toEqual({ permissions: ['Producer', 'Verifier'] });
  });

  it('add an entry and remove it again', async () => {
    const { draft, saveAll, block } = draftOf({ permissions: ['Owner'] });
    for (const edit of [appending, removing, appending, removing])
      void draft.edit(edit('b', ['permissions'], 'Producer'));
    await saveAll();
    expect(block()).toEqual({ permissions: ['Owner'] });
  });

  it('remove one entry once, and no other in its place', async () => {
    const { draft, saved, saveAll, block } = draftOf({ dependencies: ['a', 'c', 'd'] });
    for (let clicks = 0; clicks < 2; clicks += 1) void draft.edit(removing('b', ['dependencies'], 'a'));
    await saveAll();
    expect(block()).toEqual({ dependencies: ['c', 'd'] });
    expect(saved).toHaveLength(1);
  });

  it('set two members of an option that was not there', async () => {
    const { draft, saveAll, block } = draftOf({});
    void draft.edit(setting('b', ['uiMetaData', 'title'], 'Reports'));
    void draft.edit(setting('b', ['uiMetaData', 'description'], 'What was sent'));
    await saveAll();
    expect(block()).toEqual({ uiMetaData: { title: 'Reports', description: 'What was sent' } });
  });
});
