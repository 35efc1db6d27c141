import type { JsonObject } from '@blockwork/core/block';
import { describe, expect, it } from 'vitest';
import { ADDRESS, farmDocument } from '../../test/farm-schemas.js';
import { isCompatible } from './topic-operations.js';

const changed = (change: (schema: JsonObject) => void): JsonObject => {
  const copy = structuredClone(farmDocument);
  change(copy);
  return copy;
};
const propertiesOf = ({ properties }: JsonObject) => properties as Record<string, JsonObject>;
const addressOf = ({ $defs }: JsonObject) => ($defs as Record<typeof ADDRESS, JsonObject>)[ADDRESS];

describe('a foreign schema', () => {
  it('is compatible where it has all fields, and perhaps more', () => {
    expect(isCompatible(farmDocument, farmDocument)).toBe(true);
    const larger = changed((schema) => {
      propertiesOf(schema).owner = { type: 'string' };
    });
    expect(isCompatible(farmDocument, larger)).toBe(true);
    expect(isCompatible(larger, farmDocument)).toBe(false);
  });

  it.each<[string, (schema: JsonObject) => void]>([
    ['another type', (schema) => Object.assign(propertiesOf(schema).area as object, { type: 'string' })],
    ['another format', (schema) => Object.assign(propertiesOf(schema).since as object, { format: 'time' })],
    ['another pattern', (schema) => Object.assign(propertiesOf(schema).account as object, { pattern: '.*' })],
    ['another title', (schema) => Object.assign(propertiesOf(schema).area as object, { title: 'Width' })],
    ['another meaning', (schema) => Object.assign(propertiesOf(schema).account as object, { $comment: '{}' })],
    ['a list', (schema) => (propertiesOf(schema).area = { type: 'array', items: { type: 'number' } })],
    ['a text for an object', (schema) => (propertiesOf(schema).address = { type: 'string' })],
    ['a field that must be there', (schema) => (schema.required as string[]).push('area')],
    ['another field in an object', (schema) => delete propertiesOf(addressOf(schema)).city],
  ])('is not, where it has %s', (_, change) => {
    expect(isCompatible(farmDocument, changed(change))).toBe(false);
  });
});
