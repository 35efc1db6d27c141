/** A policy as it lies in a file: an archive, or JSON. */
import type { PolicySource } from '@blockwork/testing';
import { readFileSync } from 'node:fs';

export const policyIn = (file: string): PolicySource =>
  file.endsWith('.json') ? (JSON.parse(readFileSync(file, 'utf8')) as object) : new Uint8Array(readFileSync(file));
