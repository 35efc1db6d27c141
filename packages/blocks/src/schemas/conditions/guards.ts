/**
 * Schemas whose conditions say what JSON Schema cannot. A branch may demand fields in the comments of its properties, which
 * holds only if the question of the condition was asked at all; and what a branch demands within a nested schema is not
 * required there otherwise.
 *
 * Whether a condition is asked is a schema too: each field that it reads is always there, or the one condition that
 * reveals the field is asked and on that side. So nothing but a JSON Schema has to be evaluated.
 */
import { isObject } from '@blockwork/core/block';
import { SCHEMA_CHARACTERS } from '../limits.js';
import { propertiesOf, resolved } from '../schema-fields.js';
import { SchemaUnusable } from '../schema-unusable.js';
import {
  conditionalOf,
  conditionalsOf,
  demandedIn,
  isTarget,
  listOf,
  shownIn,
  targetsOf,
  type Conditional,
  type Schema,
  type Side,
  type Targets,
} from './conditional.js';
import { ANSWERED, FORBIDDEN, Own, type Forbidden } from './keywords.js';
import { inWords } from './predicates.js';
import { withTypedConstants } from './typed-constants.js';

/** Total length of the nested schemas of which copies are made. */
const COPIED_CHARACTERS = 4 * SCHEMA_CHARACTERS;

/** Length of a chain of conditions, each of which reads a field that the one before it reveals. */
const CHAIN = 100;
/** Conditions that are compiled together. */
const TOGETHER = 25;
/** Length of a test that is repeated where it is needed. */
const SHORT_CHARACTERS = 200;

const UNASKED = 'is not allowed: the question that reveals it is not asked';

const tooLong = (): SchemaUnusable => new SchemaUnusable(`it has a chain of more than ${String(CHAIN)} conditions`);

interface Reveal {
  readonly by: Conditional;
  readonly side: Side;
}

/** Whether a condition is asked: always, or where a schema holds. */
interface Asked {
  readonly schema: Schema | true;
  readonly depth: number;
}

const always: Asked = { schema: true, depth: 0 };

/** The conditions of one object, or of one branch in it. */
interface Scope {
  readonly schema: Schema;
  readonly reveals: ReadonlyMap<string, readonly Reveal[]>;
  readonly questions: Map<Schema, Asked>;
}

/** The guarded schemas of one document. */
export class Guards {
  /** Schemas to which the guarded ones refer, in the order of the numbers in references. */
  readonly shared: Schema[] = [];
  readonly #guarded = new Map<Schema, Schema>();
  readonly #tests = new Map<Schema, unknown>();
  #copied = 0;

  /** `reference`: where the shared schema with this number will stand. */
  constructor(
    private readonly definitions: ReadonlyMap<string, Schema>,
    private readonly reference: (at: number) => string,
  ) {}

  /** A schema of an object. The same schema gives the same result. */
  guarded(schema: Schema): Schema {
    const cached = this.#guarded.get(schema);
    if (cached !== undefined) return cached;
    // For schemas that reach into each other.
    this.#guarded.set(schema, schema);
    const prepared = this.#prepared(schema);
    this.#guarded.set(schema, prepared);
    return prepared;
  }

  #prepared(schema: Schema): Schema {
    const conditionals = conditionalsOf(schema);
    const targets = targetsOf(conditionals.flatMap((each) => [each.then, each.else]));
    const next: Schema = { ...schema };
    if (isObject(schema.properties)) next.properties = this.#properties(schema.properties, targets);
    return conditionals.length === 0 ? next : Object.assign(next, this.#conditions(schema, conditionals, schema));
  }

  /** Nested objects that are written in place have conditions of their own. */
  #properties(properties: Schema, targets: Targets): Schema {
    return Object.fromEntries(
      Object.entries(properties).map(([name, property]) => {
        const target = targets.get(name);
        if (target !== undefined) return [name, this.#lifted(property, target)];
        return [name, this.#inPlace(property)];
      }),
    );
  }

  #inPlace(property: unknown): unknown {
    if (!isObject(property)) return property;
    if (isObject(property.items)) return { ...property, items: this.#inPlace(property.items) };
    return isObject(property.properties) ? this.guarded(property) : property;
  }

  /** The nested schema without requiring what conditions demand or forbid there. */
  #lifted(property: unknown, { names, below }: { names: ReadonlySet<string>; below: Targets }): unknown {
    if (!isObject(property)) return property;
    if (isObject(property.items)) return { ...property, items: this.#lifted(property.items, { names, below }) };
    const nested = resolved(property, this.definitions);
    if (nested === undefined) return property;
    this.#copied += JSON.stringify(nested).length;
    if (this.#copied > COPIED_CHARACTERS) throw new SchemaUnusable('its conditions reach into too many nested schemas');
    const { required, ...guarded } = this.guarded(nested);
    const lifted: Schema = { ...guarded };
    if (Array.isArray(required)) lifted.required = required.filter((name) => !names.has(name as string));
    if (below.size > 0) lifted.properties = this.#properties(propertiesOf(lifted), below);
    return lifted;
  }

  /** The conditions of `holder`, which is `schema` or a branch of a condition in it. */
  #conditions(holder: Schema, conditionals: readonly Conditional[], schema: Schema): Schema {
    const scope: Scope = { schema, reveals: revealsOf(conditionals), questions: new Map() };
    const next: Schema = { ...this.#condition(holder, scope, true) };
    const { allOf, anyOf } = holder;
    const converted = (entries: readonly unknown[], isDemanding: boolean): unknown[] =>
      entries.map((entry) => (isObject(entry) ? { ...entry, ...this.#condition(entry, scope, isDemanding) } : entry));
    if (Array.isArray(allOf)) next.allOf = this.#divided(converted(allOf, true));
    if (Array.isArray(anyOf) && holder === schema) {
      next.anyOf = converted(anyOf, false);
      // One entry of `anyOf` may fail, but what the comments in it demand holds all the same.
      const demands = anyOf.map((entry: unknown) => (isObject(entry) ? this.#condition(entry, scope, true) : {}));
      next.allOf = [...listOf(next.allOf), ...demands];
    }
    return next;
  }

  /** Compiling a function takes time that grows faster than its length. */
  #divided(entries: readonly unknown[]): readonly unknown[] {
    if (entries.length <= TOGETHER) return entries;
    const parts = Math.ceil(entries.length / TOGETHER);
    return Array.from({ length: parts }, (_, at) =>
      this.#share({ allOf: entries.slice(at * TOGETHER, (at + 1) * TOGETHER) }),
    );
  }

  /** `if`, `then` and `else` of an entry; `isDemanding`: with what its branches demand in comments. */
  #condition(entry: Schema, scope: Scope, isDemanding: boolean): Schema {
    const conditional = conditionalOf(entry);
    if (conditional === undefined) return {};
    const words = inWords(conditional.test);
    const test = isDemanding ? this.#asked(conditional, scope, 0).schema : true;
    const names = [...shownIn(conditional.then), ...shownIn(conditional.else)];
    const unasked = test === true ? [] : this.#unasked(names, scope);
    const branch = (side: Side, word: string): Schema | undefined => {
      const own = conditional[side];
      const demanded = isDemanding ? demandedIn(own) : [];
      const demands = demanded.length > 0 && { [ANSWERED]: new Own(demanded) };
      const schema = own && this.#branch(own, scope.schema, `is not allowed ${word} ${words}`);
      if (test === true) return schema && { ...schema, ...demands };
      const guard = { if: test, ...(demands && { then: demands }), else: forbidding(unasked, UNASKED) };
      return { ...schema, allOf: [...listOf(schema?.allOf), guard] };
    };
    const then = branch('then', 'if');
    const otherwise = branch('else', 'unless');
    return { if: this.#test(conditional, scope), ...(then && { then }), ...(otherwise && { else: otherwise }) };
  }

  /** Fields of a condition that was not asked may not be there, unless the schema or another condition has them. */
  #unasked(names: readonly string[], { schema, reveals }: Scope): string[] {
    const required = listOf(schema.required);
    return [...new Set(names)].filter((name) => !required.includes(name) && (reveals.get(name)?.length ?? 0) < 2);
  }

  #test = ({ test }: Conditional, { schema }: Scope): unknown => withTypedConstants(test, schema, this.definitions);

  #branch(branch: Schema, schema: Schema, message: string): Schema {
    return { ...withForbidden(branch, message), ...this.#conditions(branch, conditionalsOf(branch), schema) };
  }

  /** Whether the fields that the condition reads are asked for. */
  #asked(conditional: Conditional, scope: Scope, level: number): Asked {
    const cached = scope.questions.get(conditional.entry);
    if (cached !== undefined) return cached;
    if (level > CHAIN) throw tooLong();
    // A circle counts as asked.
    scope.questions.set(conditional.entry, always);
    const { isAny, names } = fieldsRead(conditional.test);
    const befores = names.map((name) => this.#revealed(name, scope, level));
    const depth = befores.reduce((most, each) => Math.max(most, each.depth), 0) + 1;
    if (depth > CHAIN) throw tooLong();
    const open = befores.flatMap(({ schema }) => (schema === true ? [] : [schema]));
    const isAlways = open.length === 0 || (isAny && open.length < befores.length);
    const question = isAlways ? always : { schema: this.#share(isAny ? { anyOf: open } : { allOf: open }), depth };
    scope.questions.set(conditional.entry, question);
    return question;
  }

  /** Whether the field is asked for: by the only condition that reveals it. */
  #revealed(name: string | undefined, scope: Scope, level: number): Asked {
    const [reveal, other] = (name === undefined ? undefined : scope.reveals.get(name)) ?? [];
    if (reveal === undefined || other !== undefined) return always;
    const before = this.#asked(reveal.by, scope, level + 1);
    const test = this.#referredTest(reveal.by, scope);
    const side = reveal.side === 'then' ? test : { not: test };
    return { schema: { allOf: before.schema === true ? [side] : [before.schema, side] }, depth: before.depth };
  }

  /** Long tests are compiled once. */
  #referredTest(conditional: Conditional, scope: Scope): unknown {
    const cached = this.#tests.get(conditional.entry);
    if (cached !== undefined) return cached;
    const test = this.#test(conditional, scope);
    const shared = JSON.stringify(test).length > SHORT_CHARACTERS ? this.#share({ allOf: [test] }) : test;
    this.#tests.set(conditional.entry, shared);
    return shared;
  }

  #share(schema: Schema): Schema {
    this.shared.push(schema);
    return { $ref: new Own(this.reference(this.shared.length - 1)) };
  }
}

function revealsOf(conditionals: readonly Conditional[]): Map<string, Reveal[]> {
  const reveals = new Map<string, Reveal[]>();
  for (const by of conditionals) {
    for (const side of ['then', 'else'] as const) {
      for (const name of shownIn(by[side])) {
        const others = reveals.get(name);
        if (others === undefined) reveals.set(name, [{ by, side }]);
        else others.push({ by, side });
      }
    }
  }
  return reveals;
}

/** The fields of the object itself, and `undefined` for those of nested ones, which count as asked. `isAny`: one of them is enough. */
function fieldsRead(test: Schema): { readonly isAny: boolean; readonly names: readonly (string | undefined)[] } {
  const parts = [test, ...listOf(test.allOf), ...listOf(test.anyOf)].filter(isObject);
  const names = parts.flatMap((part) =>
    Object.entries(propertiesOf(part)).map(([name, value]) =>
      isObject(value) && isObject(value.properties) ? undefined : name,
    ),
  );
  return { isAny: Array.isArray(test.anyOf), names };
}

const forbidding = (names: readonly string[], message: string): Schema =>
  names.length === 0 ? {} : { [FORBIDDEN]: new Own({ names, message } satisfies Forbidden) };

/** With the names of the fields that have `false` in place of a schema, in targets too. */
function withForbidden(schema: Schema, message: string): Schema {
  const next = { ...schema };
  if (isTarget(schema.items)) next.items = withForbidden(schema.items, message);
  if (!isObject(schema.properties)) return next;
  const properties = Object.entries(schema.properties);
  next.properties = Object.fromEntries(
    properties.flatMap(([name, property]) => {
      if (property === false) return [];
      return [[name, isTarget(property) ? withForbidden(property, message) : property]];
    }),
  );
  const names = properties.flatMap(([name, property]) => (property === false ? [name] : []));
  return Object.assign(next, forbidding(names, message));
}
