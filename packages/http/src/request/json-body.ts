/** JSON bodies, checked against the contract. */
import { alteredNumber } from '@blockwork/contract/exact-numbers';
import { BlockworkError } from '@blockwork/core';
import { describeDetails, toDetails } from '@blockwork/core/block';
import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { parse } from 'secure-json-parse';
import type { z } from 'zod';
import { type BodyBounds, collectBody, malformed, tooLarge } from './collect-body.js';
import type { HttpRequest } from './http-request.js';
import { mediaType, unsupported, unsupportedType } from './media-type.js';

/** Bytes of a body whose steps take milliseconds. */
const LARGE = 64 * 1024;

/** The limit holds after decompression. A `null` schema accepts any JSON value. */
export async function readJson(request: HttpRequest, schema: z.ZodType | null, bounds: BodyBounds): Promise<unknown> {
  const decode = decoderFor(request);
  const { parsedBody } = request;
  return checked(
    parsedBody === undefined ? await parseJson(await decode(await collectBody(request, bounds), bounds)) : parsedBody,
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
  const body = bytes === null ? parsedBody : await parseJson(await decode(bytes, bounds));
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

/** Throws `BODY_MALFORMED`. */
export function utf8Of(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw malformed('it is not UTF-8');
  return bytes.toString('utf8');
}

/**
 * Each step goes through all of a body. Between those of a large one, others have their turn of the event loop. Rejects with
 * `BODY_MALFORMED`, and with `INPUT_INVALID` for a number that reading alters.
 */
export async function parseJson(bytes: Buffer): Promise<unknown> {
  if (bytes.length === 0) throw malformed('it is empty');
  const isLarge = bytes.length > LARGE;
  const text = utf8Of(bytes);
  if (isLarge) await nextTurn();
  const body = parsed(text);
  if (isLarge) await nextTurn();
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
function assertExactNumbers(text: string): void {
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

type Decoder = (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>;

const decoders = new Map<string, Decoder>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

/** `null` for a body that is not compressed. Throws `CONTENT_TYPE_UNSUPPORTED` for an unknown encoding. */
function decoderOf(encoding: string | undefined): Decoder | null {
  const name = encoding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity') return null;
  const decoder = decoders.get(name);
  if (decoder === undefined) {
    throw unsupported(
      'application/json, plain or compressed with gzip, deflate or br',
      'its Content-Encoding is another',
    );
  }
  return decoder;
}

/** Rejects with `BODY_TOO_LARGE` if there are more than `limit` bytes, without unpacking them all. */
async function decompress(decode: Decoder, bytes: Uint8Array, limit: number): Promise<Buffer> {
  try {
    return await decode(bytes, { maxOutputLength: limit });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(limit, cause);
    throw malformed('it is not compressed as Content-Encoding says', cause);
  }
}
