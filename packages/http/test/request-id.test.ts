import { expect, it } from 'vitest';
import { requestIdOf } from '../src/request/http-request.js';

const ids = { uuid: () => 'ours' };
const requestId = (sent: string | undefined): string => requestIdOf({ header: () => sent }, ids);

it.each(['abc-123', 'A'.repeat(64)])('keeps a safe request id of the client: %s', (sent) => {
  expect(requestId(sent)).toBe(sent);
});

it.each([undefined, '', 'a b', 'a\nb', 'ü', '<script>', 'A'.repeat(65), 'a, b'])(
  'replaces any other request id: %s',
  (sent) => {
    expect(requestId(sent)).toBe('ours');
  },
);
