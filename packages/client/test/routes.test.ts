import { contract } from '@blockwork/contract';
import type { Route } from '@blockwork/contract';
import { fileTypeOf, fileTypes as ofContract } from '@blockwork/contract/file-types';
import { expect, it } from 'vitest';
import { fileTypes, outsidePrefix, routes, streams, takesIdempotencyKey } from '../src/routes.js';

const entries: [string, Route][] = Object.entries(contract);

it('the routes of the client are those of the contract', () => {
  expect(routes).toEqual(Object.fromEntries(entries.map(([name, { method, path }]) => [name, `${method} ${path}`])));
});

it('and so are those that answer with a stream', () => {
  const streaming = entries.filter(([, { answers }]) => answers[200]?.mediaType === 'text/event-stream');
  expect([...streams]).toEqual(streaming.map(([name]) => name));
});

it('and so are those without the prefix', () => {
  expect([...outsidePrefix]).toEqual(entries.filter(([, route]) => route.outsidePrefix).map(([name]) => name));
});

it('and so are those that take an idempotency key', () => {
  expect([...takesIdempotencyKey]).toEqual(
    entries.filter(([, route]) => route.takesIdempotencyKey).map(([name]) => name),
  );
});

it('and so are the types of files', () => {
  expect(fileTypes.map(fileTypeOf)).toEqual(ofContract);
});
