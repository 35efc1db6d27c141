/** Fields of continents, countries and states: their codes exist, and those that depend on each other agree. */
import { isObject, type ErrorDetail, type JsonObject } from '@blockwork/core/block';
import { commentOf, definitionsIn, propertiesOf, resolved } from '../schema-fields.js';
import { continents } from './continents.js';

type Kind = 'continent' | 'country' | 'state';
type Schema = Record<string, unknown>;

const kinds: readonly unknown[] = ['continent', 'country', 'state'] satisfies Kind[];

/** Levels of nested objects that are searched. */
const LEVELS = 20;

/** `where`: JSON pointer of the subject within the input. */
export function wrongPlaces(schema: JsonObject, subject: JsonObject, where: string): ErrorDetail[] {
  if (!JSON.stringify(schema).includes('customType')) return [];
  const definitions = definitionsIn(schema);
  const failures: ErrorDetail[] = [];
  const look = (within: Schema, values: Schema, path: string, level: number): void => {
    failures.push(...placesWithin(within, values, path));
    if (level >= LEVELS) return;
    const fields = propertiesOf(within);
    for (const [name, value] of Object.entries(values)) {
      if (!Object.hasOwn(fields, name)) continue;
      const at = path + step(name);
      const field = fields[name];
      if (Array.isArray(value)) {
        const inner = resolved(isObject(field) ? field.items : undefined, definitions);
        if (inner === undefined) continue;
        for (const [index, item] of value.entries())
          if (isObject(item)) look(inner, item, `${at}/${String(index)}`, level + 1);
      } else if (isObject(value)) {
        const inner = resolved(field, definitions);
        if (inner !== undefined) look(inner, value, at, level + 1);
      }
    }
  };
  look(schema, subject, where, 1);
  return failures;
}

interface Place {
  readonly name: string;
  readonly kind: Kind;
  readonly code: string;
}

function placesWithin(schema: Schema, values: Schema, path: string): ErrorDetail[] {
  const fields = propertiesOf(schema);
  const placeAt = (name: unknown): Place | undefined => {
    if (typeof name !== 'string' || !Object.hasOwn(fields, name) || !Object.hasOwn(values, name)) return undefined;
    const { customType } = commentOf(fields[name]);
    const code = values[name];
    if (!kinds.includes(customType) || typeof code !== 'string' || code === '') return undefined;
    return { name, kind: customType as Kind, code };
  };
  return Object.keys(values).flatMap((name): ErrorDetail[] => {
    const place = placeAt(name);
    if (place === undefined) return [];
    const at = path + step(name);
    if (continentsOf(place).length === 0) return [{ path: at, message: `must be the code of a ${place.kind}` }];
    const around = ancestorsOf(name, fields).map(placeAt);
    const other = around.find((each) => each !== undefined && continentsOf(each).length > 0 && !isWithin(place, each));
    return other === undefined
      ? []
      : [{ path: at, message: `is not in the ${other.kind} ${other.code}, which ${other.name} names` }];
  });
}

/** The fields that the field depends on, directly and indirectly. */
function ancestorsOf(name: string, fields: Schema): string[] {
  const ancestors: string[] = [];
  for (let at: unknown = name; typeof at === 'string';) {
    const { dependency } = commentOf(Object.hasOwn(fields, at) ? fields[at] : undefined);
    const on: unknown = isObject(dependency) && dependency.kind === 'geo' ? dependency.on : undefined;
    if (typeof on !== 'string' || on === name || ancestors.includes(on)) break;
    ancestors.push(on);
    at = on;
  }
  return ancestors;
}

/** Empty for a code that does not exist. A state begins with its country; which states a country has is not checked. */
function continentsOf({ kind, code }: Omit<Place, 'name'>): readonly string[] {
  if (kind === 'continent') return continents.has(code) ? [code] : [];
  if (kind === 'state' && !/^[A-Z]{2}-[A-Z0-9]{1,3}$/.test(code)) return [];
  const country = code.slice(0, 2);
  return kind === 'country' && code.length !== 2
    ? []
    : [...continents].flatMap(([continent, countries]) => (countries.has(country) ? [continent] : []));
}

function isWithin(place: Place, around: Place): boolean {
  if (around.kind === 'continent') return continentsOf(place).includes(around.code);
  return around.kind !== 'country' || place.kind !== 'state' || place.code.startsWith(`${around.code}-`);
}

const step = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
