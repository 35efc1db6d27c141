/** An answer as a response of the Fetch standard. */
import { isStream } from '@blockwork/http';
import type { AnswerStream, HttpAnswer } from '@blockwork/http';

/** The response to `HEAD` has the headers of `GET`, but no body. */
export function toResponse({ status, headers, body }: HttpAnswer, method: string): Response {
  if (body === null) return new Response(null, { status, headers });
  if (isStream(body)) return new Response(method === 'HEAD' ? discarded(body) : readable(body), { status, headers });
  const length = String(Buffer.byteLength(body));
  return new Response(method === 'HEAD' ? null : (body as NonNullable<RequestInit['body']>), {
    status,
    headers: { ...headers, 'Content-Length': length },
  });
}

function discarded(stream: AnswerStream): null {
  stream.cancel();
  return null;
}

/** Pull-based, for back-pressure from the client. */
function readable(stream: AnswerStream): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await stream.chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      cancel: () => stream.cancel(),
    },
    { highWaterMark: 0 },
  );
}
