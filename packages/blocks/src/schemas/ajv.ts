/** The compiler of JSON Schemas, loaded with the first schema: a program that only reads policies needs none. */
import { createRequire } from 'node:module';
import type * as library from 'ajv';

let loaded: typeof library | undefined;

export const ajv = (): typeof library => (loaded ??= createRequire(import.meta.url)('ajv') as typeof library);
