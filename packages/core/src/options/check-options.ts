/** Validates the options of a factory on construction, so that mistakes fail early. */
import { z } from 'zod';
import { BlockworkError } from '../errors.js';
import { toDetails } from '../problem-details.js';
import { didYouMean } from './closest-name.js';
import type { OptionType } from './value-types.js';

/** The type of each option, for options whose TypeScript type is written by hand. */
export type OptionShape<Options> = { readonly [Name in keyof Options]-?: OptionType };

/** One row for each option: its type and default. The TypeScript types of the options derive from it, comments included. */
export type OptionTable = Readonly<Record<string, OptionType>>;

/** Options as they are given. All are optional but those named in `Demanded`. */
export type OptionsOf<Table extends OptionTable, Demanded extends keyof Table = never> = Flat<
  {
    readonly [Name in keyof Table as Name extends Demanded ? never : Name]?: z.output<Table[Name]>;
  } & { readonly [Name in keyof Table as Name extends Demanded ? Name : never]: z.output<Table[Name]> }
>;

/** One object type: the compiler refuses unknown names only where no part of an intersection is empty. */
type Flat<Type> = { [Name in keyof Type]: Type[Name] };

/** Options as they apply: with the defaults. Those without a default may be `undefined`, but those named in `Demanded`. */
export type ResolvedOptions<Table extends OptionTable, Demanded extends keyof Table = never> = {
  readonly [Name in keyof Table]:
    | z.output<Table[Name]>
    | (undefined extends z.input<Table[Name]> ? never : Name extends Demanded ? never : undefined);
};

/**
 * The options with the defaults of their table. Throws as `checkOptions`, whose further parameters it shares; does not check
 * that the demanded ones are there.
 */
export function parseOptions<Table extends OptionTable, Demanded extends keyof Table = never>(
  options: OptionsOf<Table, Demanded>,
  table: Table,
  prefix = '',
  factory = '',
): ResolvedOptions<Table, Demanded> {
  return parsedOptions(options, table, prefix, factory) as ResolvedOptions<Table, Demanded>;
}

/**
 * Throws `OPTION_INVALID` for an unknown name, `null`, a class instance, or a value of the wrong type; `undefined`
 * means absent. `prefix` precedes the name: `'limits.'` if these options are the value of another one, or the name of
 * the factory, as in `'memory store: '`. `factory` is named if there is no prefix and the options as a whole are
 * invalid.
 */
export function checkOptions<Options extends object>(
  options: Options,
  shape: OptionShape<Options>,
  prefix = '',
  factory = '',
): void {
  parsedOptions(options, shape, prefix, factory);
}

function parsedOptions(options: object, table: OptionTable, prefix: string, factory: string): unknown {
  const parsed = schemaOf(table).safeParse(options);
  if (parsed.success) {
    assertPlain(options, prefix, factory);
    return parsed.data;
  }
  const [issue] = parsed.error.issues;
  if (issue?.code === 'unrecognized_keys') {
    const [name = ''] = issue.keys;
    const hint = issue.path.length === 0 ? hintFor(name, Object.keys(table)) : '';
    throw invalidOption(nameOf([...issue.path, name], prefix), `there is no such option${hint}`);
  }
  const [detail] = toDetails(parsed.error);
  const path = issue?.path ?? [];
  const subject = path.length === 0 ? subjectFor(factory) : 'it';
  throw invalidOption(nameOf(path, prefix), `${subject} ${detail?.message ?? 'is invalid'}`);
}

const schemas = new WeakMap<object, z.ZodType>();

/** Cached per table, since most factories are called repeatedly with the same one. */
function schemaOf(table: OptionTable): z.ZodType {
  const cached = schemas.get(table);
  if (cached !== undefined) return cached;
  const schema = z.strictObject(table).partial();
  schemas.set(table, schema);
  return schema;
}

/** Options in a class instance may be inherited or private and would be silently ignored in favor of the defaults. */
function assertPlain(options: object, prefix: string, factory: string): void {
  const prototype: unknown = Object.getPrototypeOf(options);
  // A plain object's prototype has no prototype itself, in any realm.
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return;
  const { name } = (prototype as { constructor: { name: string } }).constructor;
  throw invalidOption(nameOf([], prefix), `${subjectFor(factory)} is not a plain object but an instance of ${name}`);
}

/** Names the factory, since the options as a whole have no name. */
const subjectFor = (factory: string): string => (factory === '' ? 'it' : `for ${factory} it`);

/** `reason` continues "The option ... cannot be used: ". */
export const invalidOption = (option: string, reason: string, cause?: unknown): BlockworkError =>
  new BlockworkError('OPTION_INVALID', { facts: { option, reason }, cause });

/** The defaults, overridden by the given values; `undefined` counts as not given. */
export const withDefaults = <Options extends object>(options: Partial<Options>, defaults: Options): Options => ({
  ...defaults,
  ...(Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<Options>),
});

/** For example `auth.keys[0].kid`; for the options as a whole, their parent option or `options`. */
function nameOf(path: readonly PropertyKey[], prefix: string): string {
  const segments = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  if (segments !== '') return prefix + segments.slice(1);
  return prefix.endsWith('.') ? prefix.slice(0, -1) : `${prefix}options`;
}

const hintFor = (name: string, names: readonly string[]): string =>
  didYouMean(name, names) || `; there are ${names.join(', ')}`;
