import { expect, test } from 'vitest';
import { resolveTopic, ROOT_TOPIC } from './resolve-topic.js';

const topics = [
  { name: 'project', description: 'One per project', static: false },
  { name: 'registry', description: 'The registry', memo: 'registry memo', static: true },
  { name: 'blank', description: 'Described', memo: '', static: true },
  { name: 'bare' },
  { name: 'odd', memo: 5, description: 'Instead' },
];

test('the root topic belongs to the whole policy and has no memo', () => {
  expect(ROOT_TOPIC).toBe('root');
  expect(resolveTopic(topics, 'root', 'did:ann')).toEqual({ name: 'root', owner: '', memo: '' });
  expect(resolveTopic([{ name: 'root', memo: 'not this one' }], 'root', 'did:ann').memo).toBe('');
});

test('a topic that is not static exists once per owner, a static one once', () => {
  expect(resolveTopic(topics, 'project', 'did:ann').owner).toBe('did:ann');
  expect(resolveTopic(topics, 'bare', 'did:bob').owner).toBe('did:bob');
  expect(resolveTopic(topics, 'registry', 'did:ann').owner).toBe('');
});

test('the memo is the written one, otherwise the description, otherwise empty', () => {
  const memoOf = (name: string) => resolveTopic(topics, name, 'did:ann').memo;
  expect(['registry', 'blank', 'odd', 'project', 'bare'].map(memoOf)).toEqual([
    'registry memo',
    'Described',
    'Instead',
    'One per project',
    '',
  ]);
});

test('an unknown topic is refused, with the topics that there are', () => {
  expect(() => resolveTopic([...topics.slice(0, 2), {}], 'registrar', 'did:ann')).toThrow(
    expect.objectContaining({
      code: 'LEDGER_REFUSED',
      facts: { reason: 'the policy has no topic "registrar"; it has: root, project, registry, ' },
    }),
  );
});
