/** A route as data. Routing, validation and documentation derive from it. */
import type { z } from 'zod';
import type { FileType } from './file-types.js';
import type { Parameter } from './parameter.js';

/** Platform permissions (interface, "Authentication"). */
export const permissions = [
  'POLICIES_POLICY_READ',
  'POLICIES_POLICY_CREATE',
  'POLICIES_POLICY_EXECUTE',
  'POLICIES_POLICY_MANAGE',
  'POLICIES_POLICY_AUDIT',
  'POLICIES_EXTERNAL_DATA_CREATE',
  'POLICIES_EXTERNAL_POLICY_READ',
  'POLICIES_EXTERNAL_POLICY_UPDATE',
  'ACCOUNTS_TOKEN_REVOKE',
  'INSTANCE_OPERATE',
] as const;
export type Permission = (typeof permissions)[number];

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * - `none`: keys are ignored.
 * - `listed`: parsed with the schema, 422 on failure. Other keys are ignored. Keys in `lists` may be repeated, and become lists.
 * - `open`: passed to the block as strings. The schema describes the keys of the built-in blocks.
 */
export type Query =
  | { readonly kind: 'none' }
  | { readonly kind: 'listed'; readonly schema: z.ZodType; readonly lists?: readonly string[] }
  | { readonly kind: 'open'; readonly schema: z.ZodType };

/**
 * - `none`: a body is ignored.
 * - `json`: must match the schema; unknown members are kept. With `checkedBy: 'engine'` the engine checks it later. An
 *   `optional` body, always or by a router option, may be missing or `null`. A `large` one may be as large as a policy file.
 * - `bytes`: passed on unchanged. `types` are the accepted media types.
 */
export type Body =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'json';
      readonly schema: z.ZodType;
      readonly checkedBy?: 'engine';
      readonly optional?: Optional;
      readonly large?: true;
    }
  | { readonly kind: 'bytes'; readonly types: readonly string[] };

export type Optional = 'always' | 'approveWithoutBody';

export interface Answer {
  readonly description: string;
  /** Schema of the JSON body or of each event; ignored for files. */
  readonly schema: z.ZodType;
  /** JSON when absent. */
  readonly mediaType?: 'text/event-stream' | FileType;
  /** Headers in addition to those of every response. */
  readonly headers?: Readonly<Record<string, z.ZodType<string | undefined, string | undefined>>>;
}

export interface Route {
  readonly method: Method;
  /** Below the prefix unless `outsidePrefix` is set. Parameters are in braces. */
  readonly path: string;
  readonly outsidePrefix?: true;
  readonly summary: string;
  /** Kept for callers of an earlier version; another route does the same. */
  readonly deprecated?: true;
  /** Platform permission of the caller; `null` for a public route. */
  readonly permission: Permission | null;
  /** Alternative permission, which limits the route to the caller's own items. */
  readonly orPermission?: Permission;
  readonly params: Readonly<Record<string, Parameter>>;
  readonly query: Query;
  readonly body: Body;
  /** Whether the `Idempotency-Key` header makes repeating the request safe. */
  readonly takesIdempotencyKey?: true;
  /** Whether the `If-Match` header names the revision that the request is based on. */
  readonly takesIfMatch?: true;
  /** Every status of the route, errors included. */
  readonly answers: Readonly<Record<number, Answer>>;
}

/** Checks the shape of a route and keeps its literal types. */
export const route = <const R extends Route>(definition: R): R => definition;

export type ParamsOf<R extends Route> = { readonly [Name in keyof R['params']]: string };

/** What the server reads from the query. */
export type QueryOf<R extends Route> = R['query'] extends { kind: 'listed'; schema: infer Schema }
  ? OutputOf<Schema>
  : R['query'] extends { kind: 'open' }
    ? Readonly<Record<string, string>>
    : undefined;

export type BodyOf<R extends Route> = R['body'] extends { kind: 'json'; schema: infer Schema }
  ? InputOf<Schema> | (R['body'] extends { optional: Optional } ? undefined : never)
  : R['body'] extends { kind: 'bytes' }
    ? Uint8Array
    : undefined;

/** The statuses of a route. */
export type StatusOf<R extends Route> = keyof R['answers'] & number;

/** The JSON body of an answer with this status, or the bytes of a file. */
export type AnswerOf<R extends Route, Status extends StatusOf<R>> = R['answers'][Status] extends {
  mediaType: FileType;
}
  ? Uint8Array
  : R['answers'][Status] extends { schema: infer Schema }
    ? OutputOf<Schema>
    : never;

/** Inferred from the members: a constraint `extends z.ZodType` fails under some compiler options. */
type OutputOf<Schema> = Schema extends { readonly _zod: { readonly output: infer Output } } ? Output : never;
type InputOf<Schema> = Schema extends { readonly _zod: { readonly input: infer Input } } ? Input : never;
