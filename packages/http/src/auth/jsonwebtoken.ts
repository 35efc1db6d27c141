/** The library of tokens, loaded with the first of them: a program may have an authentication of its own. */
import type library from 'jsonwebtoken';
import { createRequire } from 'node:module';

export const jsonwebtoken = (): typeof library => createRequire(import.meta.url)('jsonwebtoken') as typeof library;
