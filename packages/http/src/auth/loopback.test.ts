import { expect, it } from 'vitest';
import { isFromThisMachine, isLoopbackName } from './loopback.js';

it.each(['localhost', '127.0.0.1', '127.9.8.7', '[::1]'])('%s is this machine', (name) => {
  expect(isLoopbackName(name)).toBe(true);
});

it.each([
  ...['', '0.0.0.0', '10.0.0.1', '::1', '[::2]', '127.1', '1127.0.0.1', 'localhost.evil.example', 'evil.localhost'],
  ...['127.0.0.1.evil.example', '127.evil.example', '[::ffff:127.0.0.1]'],
])('"%s" may be another machine', (name) => {
  expect(isLoopbackName(name)).toBe(false);
});

const comesFromHere = (headers: Readonly<Record<string, string>>): boolean =>
  isFromThisMachine((name) => headers[name]);

it.each<[string, Record<string, string>]>([
  ['a program', { host: '127.0.0.1:3000' }],
  ['a program, at the usual port', { host: 'localhost' }],
  ['a page of the server itself', { host: 'localhost:3000', origin: 'http://localhost:3000' }],
  ['a page of another server here', { host: '[::1]:3000', origin: 'http://127.0.0.1:8080' }],
])('a request of %s comes from this machine', (_, headers) => {
  expect(comesFromHere(headers)).toBe(true);
});

it.each<[string, Record<string, string>]>([
  ['without a host', {}],
  ['to a name that leads here', { host: 'evil.example:3000' }],
  ['to a name that only begins or ends like one', { host: 'localhost:3000:80' }],
  ['of a page of another site', { host: 'localhost:3000', origin: 'https://evil.example' }],
  ['of a sandboxed frame or a file', { host: 'localhost:3000', origin: 'null' }],
  ['of an origin that is none', { host: 'localhost:3000', origin: 'localhost' }],
])('a request %s does not count as one of this machine', (_, headers) => {
  expect(comesFromHere(headers)).toBe(false);
});
