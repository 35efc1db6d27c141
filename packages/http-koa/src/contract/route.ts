/** What the contract says of one route, as data: router, validation and every description derive from it. */
import type { Permission } from '@blockwork/core';
import type { z } from 'zod';
import type { Parameter } from './parameter.js';

export type Method = 'GET' | 'POST' | 'PUT';

/**
 * - `none`: every key is tolerated, none is read.
 * - `listed`: parsed with the schema; a failure is 422. Keys beyond it are tolerated.
 * - `open`: handed on as text. The schema names what the engine's own blocks understand.
 */
export type Query =
  | { readonly kind: 'none' }
  | { readonly kind: 'listed'; readonly schema: z.ZodType }
  | { readonly kind: 'open'; readonly schema: z.ZodType };

/**
 * - `none`: a body is tolerated and not read.
 * - `json`: must fit the schema; what was sent is handed on, unknown members included. With `checkedBy: 'engine'` the
 *   engine holds it against the schema, once it knows what the body is about. A body that is `optional`, always or with
 *   an option of the router, may be missing or `null`.
 * - `bytes`: handed on as it came. `types` are the media types taken.
 */
export type Body =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly schema: z.ZodType; readonly checkedBy?: 'engine'; readonly optional?: Optional }
  | { readonly kind: 'bytes'; readonly types: readonly string[] };

export type Optional = 'always' | 'approveWithoutBody';

export interface Answer {
  readonly description: string;
  /** Of the JSON body. */
  readonly schema: z.ZodType;
  /** Headers beyond those of every answer, by name, with their schema as text. */
  readonly headers?: Readonly<Record<string, z.ZodType<string, string>>>;
}

export interface Route {
  readonly method: Method;
  /** With parameters in braces, below the prefix unless `outsidePrefix` says otherwise. */
  readonly path: string;
  readonly outsidePrefix?: true;
  readonly summary: string;
  /** Platform permission that the caller needs; `null`: the route is open and takes no token. */
  readonly permission: Permission | null;
  /** One that does as well, where the route then shows only what is the caller's own. */
  readonly orPermission?: Permission;
  readonly params: Readonly<Record<string, Parameter>>;
  readonly query: Query;
  readonly body: Body;
  /** Every status that the route answers with, the refusals included. */
  readonly answers: Readonly<Record<number, Answer>>;
}

/** Keeps the literal types of the route, and checks its shape. */
export const route = <const R extends Route>(definition: R): R => definition;

export type ParamsOf<R extends Route> = { readonly [Name in keyof R['params']]: string };

export type QueryOf<R extends Route> = R['query'] extends { kind: 'listed'; schema: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : R['query'] extends { kind: 'open' }
    ? Readonly<Record<string, string>>
    : undefined;

export type BodyOf<R extends Route> = R['body'] extends { kind: 'json'; schema: infer Schema extends z.ZodType }
  ? z.input<Schema> | (R['body'] extends { optional: Optional } ? undefined : never)
  : R['body'] extends { kind: 'bytes' }
    ? Uint8Array
    : undefined;
