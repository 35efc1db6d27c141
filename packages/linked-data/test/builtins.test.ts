/** A program that embeds this package keeps its own JavaScript. */
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { linkedData } from '../src/index.js';

/** Where JavaScript keeps its functions, in a realm that no library has touched. The console is the host's. */
const untouched =
  runInNewContext(`Object.getOwnPropertyNames(globalThis).filter((name) => name !== 'console').flatMap((name) =>
  [[name], [name, 'prototype']]
    .map((path) => [path, path.reduce((value, step) => value?.[step], globalThis)])
    .filter(([, holder]) => Object(holder) === holder)
    .flatMap(([path, holder]) => Reflect.ownKeys(holder)
      .filter((key) => typeof Reflect.getOwnPropertyDescriptor(holder, key).value === 'function')
      .map((key) => [...path, key])))`) as readonly (readonly PropertyKey[])[];
const sourceOf = runInNewContext('Function.prototype.toString') as (this: unknown) => string;

const isNative = (path: readonly PropertyKey[]): boolean => {
  const found = path.reduce<unknown>((value, step) => Reflect.get(value as object, step), globalThis);
  return typeof found === 'function' && sourceOf.call(found).includes('[native code]');
};

it('a hash replaces no function of JavaScript', async () => {
  const document = { '@context': ['https://www.w3.org/2018/credentials/v1'], type: ['VerifiableCredential'] };
  await linkedData().hashes([document], document, []);
  expect(untouched.length).toBeGreaterThan(400);
  expect(untouched.filter((path) => !isNative(path)).map((path) => path.map(String).join('.'))).toEqual([]);
});
