/** JSON bodies, checked against the contract. */
import { isUtf8 } from 'node:buffer';
import { BlockworkError } from '@blockwork/core';
import { describeDetails, toDetails } from '@blockwork/core/block';
import { parse } from 'secure-json-parse';
import type { z } from 'zod';
import { alteredNumber } from './exact-numbers.js';
import { collectBody, malformed } from './collect-body.js';
import type { BodyBounds } from './collect-body.js';
import { decoderOf, decompress } from './decompress.js';
import type { HttpRequest } from './http-request.js';
import { mediaType, unsupportedType } from './media-type.js';

/** The limit holds after decompression. A `null` schema accepts any JSON value. */
export async function readJson(request: HttpRequest, schema: z.ZodType | null, bounds: BodyBounds): Promise<unknown> {
  const decode = decoderFor(request);
  const { parsedBody } = request;
  return checked(
    parsedBody === undefined ? parseJson(await decode(await collectBody(request, bounds), bounds)) : parsedBody,
    schema,
  );
}

/** `undefined` for no body and for `null`: clients of the reference send either. */
export async function readOptionalJson(
  request: HttpRequest,
  schema: z.ZodType | null,
  bounds: BodyBounds,
): Promise<unknown> {
  const { parsedBody } = request;
  const bytes = parsedBody === undefined ? await collectBody(request, bounds) : null;
  if (bytes?.length === 0) return undefined;
  const decode = decoderFor(request);
  const body = bytes === null ? parsedBody : parseJson(await decode(bytes, bounds));
  return checked(body, schema?.nullable() ?? null) ?? undefined;
}

/** What unpacks the body. Throws `CONTENT_TYPE_UNSUPPORTED`. */
function decoderFor(request: HttpRequest): (bytes: Buffer, bounds: BodyBounds) => Promise<Buffer> {
  const type = request.header('content-type');
  if (mediaType(type) !== 'application/json') throw unsupportedType('application/json', type);
  const decode = decoderOf(request.header('content-encoding'));
  return async (bytes, { limit, share }) => {
    if (decode === null) return bytes;
    const unpacked = await decompress(decode, bytes, limit);
    const refusal = share.refuses(bytes.length + unpacked.length);
    if (refusal !== null) throw refusal;
    return unpacked;
  };
}

function checked(body: unknown, schema: z.ZodType | null): unknown {
  const parsed = schema?.safeParse(body);
  if (parsed === undefined || parsed.success) return body;
  const details = toDetails(parsed.error);
  const reason = `The body is invalid: ${describeDetails(details)}.`;
  throw new BlockworkError('INPUT_INVALID', { facts: { reason }, details });
}

function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) throw malformed('it is empty');
  if (!isUtf8(bytes)) throw malformed('it is not UTF-8');
  const text = bytes.toString('utf8');
  const body = parsed(text);
  assertExactNumbers(text);
  return body;
}

function parsed(text: string): unknown {
  try {
    return parse(text, { protoAction: 'error', constructorAction: 'error' }) as unknown;
  } catch (cause) {
    throw malformed(problemOf(text), cause);
  }
}

/** Throws `INPUT_INVALID` for a number that reading alters: amounts depend on every digit. */
export function assertExactNumbers(text: string): void {
  const altered = alteredNumber(text);
  if (altered === null) return;
  const { literal, becomes, character } = altered;
  const reason = `The body is invalid: the number ${literal} (at character ${String(character)}) would become ${becomes}. Send it as text, in quotes, or with fewer digits.`;
  throw new BlockworkError('INPUT_INVALID', { facts: { reason } });
}

/** What is wrong with a text that was refused, and where, in the words of the platform. */
function problemOf(text: string): string {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''));
    return 'it has a member that would change a prototype';
  } catch (error) {
    return `it is not JSON (${(error as Error).message})`;
  }
}
