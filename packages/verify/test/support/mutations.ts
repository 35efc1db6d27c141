/** Changes of a bundle: of one byte of its file, and of one value in it. */
import { createHash } from 'node:crypto';
import type { ProofBundle } from '@blockwork/core';
import canonicalize from 'canonicalize';
import { randomNumbers } from '../../../../test/support/random-numbers.mjs';

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** Whole numbers from 0, in a fixed order for each seed. */
export function drawn(seed: number): (below: number) => number {
  const random = randomNumbers(seed);
  return (below) => Math.floor(random() * below);
}

/** The places of all values that are neither lists nor objects, and of empty ones. */
export function leavesOf(value: Json, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return [[...path]];
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, [...path, name]));
}

/** A copy with another value at the place. */
export function changedAt(value: Json, [name, ...more]: readonly string[], random: (below: number) => number): Json {
  if (name === undefined) return changed(value, random);
  const copy = structuredClone(value) as Record<string, Json>;
  copy[name] = changedAt(copy[name] ?? null, more, random);
  return copy;
}

function changed(value: Json, random: (below: number) => number): Json {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1 + random(5);
  if (value === null) return 'x';
  if (typeof value === 'object') return Array.isArray(value) ? ['x'] : { x: 'x' };
  if (value === '') return 'x';
  const at = random(value.length);
  const other = Array.from('0123456789abcdefghijkmnopqrstuvwxyz').filter((each) => each !== value[at]);
  const sign = /\d/.test(value[at] ?? '') ? (other.slice(0, 9)[random(9)] ?? '') : (other[random(other.length)] ?? '');
  return value.slice(0, at) + sign + value.slice(at + 1);
}

/** With digests that fit, as somebody without the owner's key can make them. */
export function resealed(value: Json): Json {
  const { seal: _, ...content } = value as unknown as ProofBundle;
  const policy = { ...content.policy, hash: hashOf(content.policy.definition) };
  const rest = { ...content, policy };
  return { ...rest, seal: { digest: hashOf(rest) } } as unknown as Json;
}

const hashOf = (value: object): string =>
  createHash('sha256')
    .update(canonicalize(value) ?? '')
    .digest('hex');
