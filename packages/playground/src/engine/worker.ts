/** The program of the worker: answers the requests of the page with an engine of its own. */
import type { AnswerMessage, RequestMessage } from '../messages.js';
import { createPlaygroundEngine } from './playground-engine.js';

const { handler } = createPlaygroundEngine();

globalThis.addEventListener('message', (event: MessageEvent<RequestMessage>) => {
  const [port] = event.ports;
  if (port !== undefined) void answer(event.data, port);
});

async function answer({ url, ...init }: RequestMessage, port: MessagePort): Promise<void> {
  const say = (message: AnswerMessage): void => {
    port.postMessage(message);
  };
  try {
    const { status, headers, body } = await handler(
      new Request(url, { ...init, headers: new Headers([...init.headers].map(([name, value]) => [name, value])) }),
    );
    say({ type: 'head', status, headers: [...headers] });
    if (body !== null) await pass(body.getReader(), port, say);
    say({ type: 'end' });
  } catch (error) {
    say({ type: 'failed', reason: String(error) });
  } finally {
    port.close();
  }
}

/** Streams of events end when the page no longer reads them. */
async function pass(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  port: MessagePort,
  say: (message: AnswerMessage) => void,
): Promise<void> {
  // The page says nothing but that it does not read on.
  port.onmessage = () => void reader.cancel();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    say({ type: 'part', bytes: value });
  }
}
