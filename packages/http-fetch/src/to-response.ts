/** An answer as a response of the Fetch standard. */
import type { HttpAnswer } from '@blockwork/http';

/** The answer to `HEAD` has the headers of that to `GET`, and no body. */
export function toResponse({ status, headers, body }: HttpAnswer, method: string): Response {
  if (body === null) return new Response(null, { status, headers });
  const length = String(Buffer.byteLength(body));
  return new Response(method === 'HEAD' ? null : (body as NonNullable<RequestInit['body']>), {
    status,
    headers: { ...headers, 'Content-Length': length },
  });
}
