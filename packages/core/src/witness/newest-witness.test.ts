/** The newest witness in a book: a message of its type, in the topic that is nobody's. */
import { expect, it } from 'vitest';
import { MemoryStore } from '../memory/store/memory-store.js';
import { newestInBook } from './newest-witness.js';

const put = (kind: string, value: object) => ({ op: 'put', kind, partition: 'p', value });
const topic = (id: string, owner: string) =>
  put('ledger-topic', { id, name: 'blockwork/checkpoints', owner, memo: '' });
const message = (id: string, topicId: string, type: string) => put('ledger-message', { id, topicId, type, body: null });

it('is no other message in that topic, and none in a topic of a person', async () => {
  const store = new MemoryStore();
  const changes = [
    topic('0.0.1', 'did:example:a'),
    topic('0.0.2', ''),
    message('1700000001.000000000', '0.0.2', 'checkpoint'),
    message('1700000002.000000000', '0.0.2', 'vc-document'),
    message('1700000003.000000000', '0.0.1', 'checkpoint'),
  ];
  expect(await newestInBook(store, 'p')).toBeUndefined();
  await store.commit({ expect: {}, changes: changes as never });
  expect(await newestInBook(store, 'p')).toMatchObject({ id: '1700000001.000000000' });
});
