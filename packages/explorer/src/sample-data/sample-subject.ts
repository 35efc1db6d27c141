/** Random valid form data, generated from the form's JSON schema. */
import type { Json, JsonObject } from '@blockwork/core';
import { isObject } from '@blockwork/core/block';
import fc from 'fast-check';
import { conditionalFields, fieldsInForce } from './conditions.js';
import type { Random } from './random.js';

export interface SampleOptions {
  readonly random: Random;
  /** Ledger account for fields that ask for one. */
  readonly account?: string;
  /** Fixed values, by field name. */
  readonly presets?: JsonObject;
  /** Fields that are left out. Default: those of a credential's subject that only the engine writes. */
  readonly without?: ReadonlySet<string>;
  /** Probability of filling in an optional field. Default: 0.9. */
  readonly filledIn?: number;
  /** Content of texts without format, pattern or choices. Default: `words` followed by a number. */
  readonly texts?: 'words' | 'numerals';
}

/** Filled in by the engine, not by users. */
const ofServer: ReadonlySet<string> = new Set(['id', 'type', '@context', 'policyId', 'ref']);

/** Nesting depth beyond which only required fields are filled in. */
const DEEP = 6;
const DEEPEST = 24;

/** Default probability of filling in an optional field. */
const OFTEN = 0.9;

/**
 * The fields that a user fills in, each with a value of its type, format, pattern, range and choices; objects and lists
 * within it too. Includes conditional fields that the other values require.
 */
export function sampleSubject(schema: JsonObject, options: SampleOptions): JsonObject {
  return new SubjectSample(schema, options).whole();
}

type Schema = Readonly<Record<string, unknown>>;

class SubjectSample {
  readonly #definitions: Schema;

  constructor(
    private readonly schema: JsonObject,
    private readonly options: SampleOptions,
  ) {
    const { $defs, definitions } = schema;
    this.#definitions = { ...(isObject(definitions) && definitions), ...(isObject($defs) && $defs) };
  }

  whole(): JsonObject {
    const fields = this.#object(this.schema, 0, this.options.without ?? ofServer);
    return { ...fields, ...this.options.presets };
  }

  #object(schema: Schema, depth: number, without: ReadonlySet<string> = new Set()): JsonObject {
    const conditional = conditionalFields(schema);
    const object: JsonObject = {};
    this.#fill(object, propertiesOf(schema), requiredOf(schema), depth, (name) => {
      return !conditional.has(name) && !without.has(name);
    });
    for (const { properties, required } of fieldsInForce(schema, object)) {
      this.#fill(object, { ...properties }, required, depth, (name) => !without.has(name));
    }
    return object;
  }

  #fill(
    object: JsonObject,
    properties: Schema,
    required: ReadonlySet<string>,
    depth: number,
    isWanted: (name: string) => boolean,
  ): void {
    const { filledIn = OFTEN, random } = this.options;
    for (const [name, property] of Object.entries(properties)) {
      if (!isWanted(name) || Object.hasOwn(object, name)) continue;
      if (!isObject(property) || property['readOnly'] === true || name === '__proto__') continue;
      const isLeftOut = !required.has(name) && (depth > DEEP || !random.chance(filledIn));
      if (!isLeftOut) object[name] = this.#value(property, depth + 1);
    }
  }

  #value(schema: Schema, depth: number): Json {
    if (depth > DEEPEST) return null;
    const { random } = this.options;
    if ('const' in schema) return schema['const'] as Json;
    if (Array.isArray(schema['enum'])) return (random.pick(schema['enum']) as Json | undefined) ?? null;
    const variants = schema['oneOf'] ?? schema['anyOf'];
    if (Array.isArray(variants) && variants.length > 0) {
      return this.#value(random.pick(variants.filter(isObject)) ?? {}, depth + 1);
    }
    const { $ref } = schema;
    const isRemoteList = typeof $ref === 'string' && typeof schema['type'] === 'string' && /^\w+:\/\//.test($ref);
    if (typeof $ref === 'string' && !isRemoteList) return this.#value(this.#defined($ref), depth + 1);
    return this.#typed(schema, depth);
  }

  #typed(schema: Schema, depth: number): Json {
    switch (this.#typeOf(schema)) {
      case 'object':
        return this.#object(schema, depth);
      case 'array':
        return this.#list(schema, depth);
      case 'boolean':
        return this.options.random.chance(0.5);
      case 'integer':
        return numberIn(this.options.random, schema, 1);
      case 'number':
        return numberIn(this.options.random, schema, 0.25);
      case 'null':
        return null;
      default:
        return this.#text(schema);
    }
  }

  #typeOf({ type, properties, items }: Schema): unknown {
    const named: unknown = Array.isArray(type) ? type.find((each) => each !== 'null') : type;
    return named ?? (isObject(properties) ? 'object' : items === undefined ? 'string' : 'array');
  }

  #list({ items, minItems, maxItems, uniqueItems }: Schema, depth: number): Json {
    const least = Math.max(numberOr(minItems, 0), 1);
    const most = Math.min(numberOr(maxItems, least + 1), least + 1);
    const size = depth > DEEP ? least : this.options.random.between(Math.min(least, most), most);
    // A list of schemas gives each position its own.
    const at = (index: number): Schema => {
      const own: unknown = Array.isArray(items) ? (items[index] ?? items.at(-1)) : items;
      return isObject(own) ? own : {};
    };
    const list = Array.from({ length: size }, (_, index) => this.#value(at(index), depth + 1));
    if (uniqueItems !== true) return list;
    return [...new Map(list.map((value) => [JSON.stringify(value), value])).values()];
  }

  #text(schema: Schema): Json {
    if (customTypeOf(schema) === 'hederaAccount') return this.options.account ?? '0.0.1001';
    return sampleText(this.options.random, {
      kind: this.options.texts ?? 'words',
      format: schema['format'],
      pattern: schema['pattern'],
      minLength: numberOr(schema['minLength'], 0),
      maxLength: numberOr(schema['maxLength'], 100),
    });
  }

  #defined(ref: string): Schema {
    const name = ref
      .replace(/^#\/(\$defs|definitions)\//, '')
      .replaceAll('~1', '/')
      .replaceAll('~0', '~');
    const definition = Object.hasOwn(this.#definitions, name) ? this.#definitions[name] : undefined;
    if (isObject(definition)) return definition;
    return (
      Object.values(this.#definitions)
        .filter(isObject)
        .find(({ $id }) => $id === ref) ?? {}
    );
  }
}

const propertiesOf = ({ properties }: Schema): Schema => (isObject(properties) ? properties : {});

const requiredOf = ({ required }: Schema): ReadonlySet<string> =>
  new Set(Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []);

const numberOr = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);

/** Most numbers of policies are amounts, so one without a range is from 1 to 100. */
function numberIn(random: Random, schema: Schema, step: number): number {
  const by = Math.max(numberOr(schema['multipleOf'], step), Number.EPSILON);
  const above = numberOr(schema['exclusiveMinimum'], -Infinity) + by;
  const below = numberOr(schema['exclusiveMaximum'], Infinity) - by;
  const least = Math.max(numberOr(schema['minimum'], -Infinity), above);
  const most = Math.min(numberOr(schema['maximum'], Infinity), below);
  const from = Number.isFinite(least) ? least : Math.min(1, most);
  const to = Number.isFinite(most) ? most : Math.max(100, from + 100);
  const [first, last] = [Math.ceil(from / by), Math.floor(to / by)];
  return Number((random.between(first, Math.max(first, last)) * by).toFixed(10));
}

function customTypeOf({ $comment }: Schema): unknown {
  if (typeof $comment !== 'string') return undefined;
  try {
    const comment: unknown = JSON.parse($comment);
    return isObject(comment) ? comment['customType'] : undefined;
  } catch {
    return undefined;
  }
}

const words = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'heath', 'inlet', 'juniper'];
const DAY = 86_400_000;
const FIRST_DAY = Date.UTC(2024, 0, 1);

const wordOf = (random: Random): string => random.pick(words) ?? 'amber';
const dateOf = (random: Random): string => new Date(FIRST_DAY + random.between(0, 1000) * DAY).toISOString();

const formats: Readonly<Record<string, (random: Random) => string>> = {
  date: (random) => dateOf(random).slice(0, 10),
  'date-time': (random) => dateOf(random),
  time: (random) => `${String(random.between(10, 23))}:${String(random.between(10, 59))}:00Z`,
  duration: (random) => `P${String(random.between(1, 12))}M`,
  email: (random) => `${wordOf(random)}@example.org`,
  hostname: (random) => `${wordOf(random)}.example.org`,
  ipv4: (random) => `192.0.2.${String(random.between(1, 254))}`,
  ipv6: () => '2001:db8::1',
  uri: (random) => `https://example.org/${wordOf(random)}`,
  url: (random) => `https://example.org/${wordOf(random)}`,
  uuid: (random) => `00000000-0000-4000-8000-${hexOf(random)}`,
};

const hexOf = (random: Random): string => random.between(0, 0xffffffff).toString(16).padStart(12, '0');

interface TextRules {
  readonly kind: 'words' | 'numerals';
  readonly format: unknown;
  readonly pattern: unknown;
  readonly minLength: number;
  readonly maxLength: number;
}

/** Meets the format or the pattern, and the lengths where there is neither. */
function sampleText(random: Random, { kind, format, pattern, minLength, maxLength }: TextRules): string {
  const formatted = typeof format === 'string' && Object.hasOwn(formats, format) ? formats[format] : undefined;
  if (formatted !== undefined) return formatted(random);
  if (typeof pattern === 'string') return matching(random, pattern) ?? 'sample';
  const number = String(random.between(1, 9999));
  if (kind === 'numerals') return number.padStart(minLength, '1').slice(0, maxLength);
  return `${wordOf(random)} ${number}`.padEnd(minLength, '.').slice(0, maxLength);
}

/** By pattern, because making one takes far longer than using it. */
const generators = new Map<string, fc.Arbitrary<string>>();
const GENERATORS_AT_MOST = 200;

/** `undefined` for a pattern that JavaScript cannot read. */
function matching(random: Random, pattern: string): string | undefined {
  try {
    let texts = generators.get(pattern);
    if (texts === undefined) {
      texts = fc.stringMatching(new RegExp(readable(pattern)), { size: '-1' });
      if (generators.size >= GENERATORS_AT_MOST) generators.clear();
      generators.set(pattern, texts);
    }
    return fc.sample(texts, { seed: random.between(0, 0x7fffffff), numRuns: 1 })[0];
  } catch {
    return undefined;
  }
}

/** "Anything" means letters and digits, and the text that it is about is all there is. */
const readable = (pattern: string): string =>
  `^${pattern.replace(/^\^|(?<!\\)\$$/g, '').replace(/(?<!\\)\.(?=[*+?{]|$)/g, '[a-z0-9]')}$`;
