import { describe, expect, it } from 'vitest';
import { processorMs } from '../../../test/support/processor-time.js';
import { BlockworkError } from './errors.js';
import { shownAddress, shownText } from './shown-text.js';

describe('a text for people', () => {
  it.each([
    ['calls https://user:hidden@host.example/v1?key=hidden, which is refused.', 'https://host.example/v1?…, which'],
    ['"https://hidden@host.example"', '"https://host.example"'],
    ['(see nats://user:hidden@a.example:4222).', '(see nats://a.example:4222).'],
    ['https://host.example/a#access_token=hidden', 'https://host.example/a'],
    ['postgres://u:hidden@db/x?sslmode=hidden and https://h/?hidden', 'postgres://db/x?… and https://h/?…'],
    ['ENOENT: no such file, "/home/me/postgres:/u:hidden@db/x?password=hidden/a.json"', '"/home/me/postgres:/db/x?…"'],
    ['The header was "Authorization: Bearer hidden.123456".', 'Bearer …'],
  ])('has addresses without credentials and query, and no tokens: %s', (text, shown) => {
    expect(shownText(text)).toContain(shown);
    expect(shownText(text)).not.toContain('hidden');
  });

  it.each([
    'The schema https://www.w3.org/2018/credentials/v1#Type&1.0.0 is unknown.',
    'must have the form postgres://user:password@host:port/database.',
    'A bearer token is missing; basic authentication is not enough.',
    'C:/Users/me/@types/a.json and file:///home/me/a.json:10:2 are places.',
    'a@b.example asks what? did:web:host.example:users:a',
  ])('is otherwise as it was: %s', (text) => {
    expect(shownText(text)).toBe(text);
  });

  it('is read in time that grows with its length', () => {
    const text = 'a://'.repeat(50_000) + '@'.repeat(50_000) + 'bearer '.repeat(50_000);
    expect(processorMs(() => shownText(text))).toBeLessThan(1000);
  });
});

it('an address is shown as the place that it calls', () => {
  expect(shownAddress('https://user:hidden@host.example:1/v1?key=hidden#hidden')).toBe('https://host.example:1/v1');
});

it('an error has none of it in its message, facts and details', () => {
  const url = 'https://user:hidden@host.example/in?key=hidden';
  const details = [{ path: '/url', message: `${url} is refused` }];
  const error = new BlockworkError('WEBHOOK_URL_REFUSED', { facts: { url, reason: `not ${url}` }, details });
  expect(error.message).toBe('The webhook cannot call "https://host.example/in?…": not https://host.example/in?….');
  expect(JSON.stringify([error.facts, error.details, error.message])).not.toContain('hidden');
});
