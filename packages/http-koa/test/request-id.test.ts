import { expect, it } from 'vitest';
import { requestIdOf } from '../src/request/request-id.js';

const ids = { uuid: () => 'ours' };

it.each(['abc-123', 'A'.repeat(64)])('a harmless id of the client is kept: %s', (sent) => {
  expect(requestIdOf(sent, ids)).toBe(sent);
});

it.each([undefined, '', 'a b', 'a\nb', 'ü', '<script>', 'A'.repeat(65), ['a', 'b']])(
  'any other is replaced: %s',
  (sent) => {
    expect(requestIdOf(sent, ids)).toBe('ours');
  },
);
