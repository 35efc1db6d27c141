/** Request bodies of clients of the reference: JSON, forms, empty, or a policy file. */
import { assertExactNumbers, collectBody, mediaType, TransportError, unsupportedType } from '@blockwork/http';
import type { BodyBounds, HttpRequest } from '@blockwork/http';
import { BlockworkError } from '@blockwork/core';
import { describeDetails, toDetails } from '@blockwork/core/block';
import { isUtf8 } from 'node:buffer';
import { parse } from 'secure-json-parse';
import type { z } from 'zod';

const FORM = 'application/x-www-form-urlencoded';

export const isForm = (request: HttpRequest): boolean => mediaType(request.header('content-type')) === FORM;

/** The members of a JSON object or of a form; none for an empty body and for `null`. */
export async function readData(request: HttpRequest, bounds: BodyBounds): Promise<unknown> {
  if (request.parsedBody !== undefined) return request.parsedBody ?? {};
  const bytes = await collectBody(request, bounds);
  if (bytes.length === 0) return {};
  if (!isUtf8(bytes)) throw malformed('it is not UTF-8');
  const text = bytes.toString('utf8');
  if (isForm(request)) return Object.fromEntries(new URLSearchParams(text));
  const type = request.header('content-type');
  // Pages of other sites may send any other type without asking first.
  if (mediaType(type) !== 'application/json') throw unsupportedType(`application/json or ${FORM}`, type);
  const data = parsed(text);
  assertExactNumbers(text);
  return data ?? {};
}

function parsed(text: string): unknown {
  try {
    return parse(text, { protoAction: 'error', constructorAction: 'error' });
  } catch (cause) {
    throw malformed('it is truncated, or neither JSON nor a form', cause);
  }
}

/** Throws `INPUT_INVALID` with every failure. */
export function checked<Value>(body: unknown, schema: z.ZodType<Value>): Value {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const details = toDetails(parsed.error);
  const reason = `The body is invalid: ${describeDetails(details)}.`;
  throw new BlockworkError('INPUT_INVALID', { facts: { reason }, details });
}

const malformed = (reason: string, cause?: unknown): TransportError =>
  new TransportError('BODY_MALFORMED', { facts: { reason }, cause });
