/** What becomes of a client that has gone before the server comes to its body, or to its answer. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import Koa, { type Context } from 'koa';
import { expect, it, onTestFinished, vi } from 'vitest';
import { KoaRequest } from '../src/koa-request.js';
import { sendAnswer } from '../src/send-answer.js';

/** Calls `handle` with a request whose client sent its head and a part of its body, and has gone. */
async function afterClientHasGone<T>(handle: (ctx: Context) => T | Promise<T>): Promise<T> {
  const server: Server = createServer();
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const app = new Koa();
  app.silent = true;
  const handled = new Promise<T>((resolve, reject) => {
    app.use(async (ctx) => {
      const closed = once(ctx.res, 'close');
      client.destroy();
      await closed;
      await Promise.resolve(handle(ctx)).then(resolve, reject);
    });
  });
  server.on('request', (request, response) => void app.callback()(request, response));
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n{"a":');
  return handled;
}

it('its body is refused at once, so that no share of memory waits for the rest', async () => {
  const reading = afterClientHasGone((ctx) => new KoaRequest(ctx).readBody(() => true));

  await expect(reading).rejects.toThrow('The client went away.');
});

it('its stream of events ends at once', async () => {
  const cancel = vi.fn();
  const chunks = (async function* () {
    await new Promise(() => undefined);
    yield '';
  })();

  await afterClientHasGone((ctx) => sendAnswer(ctx, { status: 200, headers: {}, body: { chunks, cancel } }));

  expect(cancel).toHaveBeenCalledOnce();
});
