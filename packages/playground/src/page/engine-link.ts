/** `fetch` for the engine in the worker. */
import type { AnswerMessage, CancelMessage, RequestMessage } from '../messages.js';

/** Sends the request to the worker, with `path` in place of its address. Rejects as `fetch`. */
export async function fetchFrom(worker: Worker, request: Request, path: string): Promise<Response> {
  const { signal, method } = request;
  signal.throwIfAborted();
  const body = method === 'GET' || method === 'HEAD' ? null : await request.arrayBuffer();
  const { port1, port2 } = new MessageChannel();
  const message: RequestMessage = {
    url: `http://playground${path}`,
    method,
    headers: [...request.headers],
    body,
  };
  worker.postMessage(message, [port2]);
  return responseOn(port1, signal);
}

function responseOn(port: MessagePort, signal: AbortSignal): Promise<Response> {
  let isOver = false;
  const cancel = (): void => {
    isOver = true;
    const message: CancelMessage = { type: 'cancel' };
    port.postMessage(message);
  };
  return new Promise((resolve, reject) => {
    let parts: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        parts = controller;
      },
      cancel,
    });
    const fail = (error: Error): void => {
      reject(error);
      parts?.error(error);
    };
    const end = (): void => {
      isOver = true;
      parts?.close();
    };
    signal.addEventListener('abort', () => {
      if (isOver) return;
      cancel();
      fail(signal.reason as Error);
    });
    port.onmessage = ({ data }: MessageEvent<AnswerMessage>) => {
      // What was on its way when nobody wanted it any more.
      if (isOver) return;
      if (data.type === 'part') parts?.enqueue(data.bytes);
      else if (data.type === 'end') end();
      else if (data.type === 'failed') fail(new TypeError(data.reason));
      else
        resolve(
          new Response(hasBody(data.status) ? body : null, {
            status: data.status,
            headers: [...data.headers].map(([name, value]) => [name, value]),
          }),
        );
    };
  });
}

/** The standard refuses a body for these statuses. */
const hasBody = (status: number): boolean => ![204, 205, 304].includes(status);
