import type { Change } from '@blockwork/core/adapter';
import { expect, it } from 'vitest';
import { CommitListeners, requestsIn } from './commit-listeners.js';

const change = (op: 'put' | 'delete', kind: string, id: string): Change =>
  ({ op, kind, partition: 'instance', ...(op === 'put' ? { value: { id } } : { id }) }) as unknown as Change;

it('every listener is told of a commit, in the order in which they were registered', () => {
  const calls: string[] = [];
  const listeners = new CommitListeners();
  const listener = (name: string) => ({ committed: () => void calls.push(name) });
  listeners.register(listener('a'), listener('b'));
  listeners.register(listener('c'));
  listeners.committed({ expect: {}, changes: [] });
  expect(calls).toEqual(['a', 'b', 'c']);
});

it('the requests of a commit are those that it has written, not those that it has removed', () => {
  const changes = [
    change('put', 'request', 'written'),
    change('delete', 'request', 'removed'),
    change('put', 'policy', 'other'),
  ];
  expect(requestsIn({ expect: {}, changes }).map(({ id }) => id)).toEqual(['written']);
});
