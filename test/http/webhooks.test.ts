/** Webhooks over HTTP: from registering an address to what a receiver of another maker accepts. */
import type { IncomingMessage } from 'node:http';
import type { Caller } from '@blockwork/core';
import { webhookSender } from '@blockwork/blocks';
import { Webhook } from 'standardwebhooks';
import { expect, it, onTestFinished } from 'vitest';
import { listen } from './support/listen.js';
import { bearer, openWorld, owner, registrant } from './support/world.js';

interface Received {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A program that takes webhooks and answers `/busy` with a time to come back; resolves with what it got. */
async function receiver() {
  const received: Received[] = [];
  const { url, close } = await listen((request, response) => {
    void (async () => {
      let body = '';
      for await (const part of request) body += String(part);
      received.push({ headers: request.headers, body });
      if (request.url === '/busy') response.writeHead(429, { 'retry-after': '7' }).end();
      else response.writeHead(request.url === '/moved' ? 302 : 204, { location: '/in' }).end();
    })();
  });
  onTestFinished(close);
  return { url, received };
}

async function world(allow: readonly string[]) {
  const served = await openWorld({}, { webhooks: webhookSender({ allow, timeoutMs: 5_000 }) });
  onTestFinished(() => served.close());
  const path = `/policies/${served.policyId}/webhooks`;
  const idle = (): Promise<void> => served.engine.program.webhooks.idle();
  const change = () =>
    served.engine.program.documents.add(served.policyId, [
      { owner: owner.did, document: { credentialSubject: [{ id: 'SECRET' }] } },
    ]);
  const register = (url: string): Promise<Response> => served.send('POST', path, { url });
  const list = (caller: Caller): Promise<Response> =>
    served.call('GET', path, { headers: { authorization: bearer(caller) } });
  return { engine: served.engine, policyId: served.policyId, register, list, idle, change };
}

it('the sender tells for how long a receiver wants to be left alone', async () => {
  const { url } = await receiver();
  const sender = webhookSender({ allow: [url] });
  const response = (path: string) =>
    sender.send({ url: url + path, headers: {}, body: '{}' }, new AbortController().signal);
  expect(await response('/busy')).toMatchObject({ status: 429, retryAfter: '7' });
  expect(await response('/in')).toMatchObject({ status: 204, retryAfter: null });
});

it('a registered address is told what moved, in requests that the library of Standard Webhooks verifies', async () => {
  const { url, received } = await receiver();
  const { register, change, idle, policyId } = await world([url]);
  const answer = await register(`${url}/in`);
  expect(answer.status).toBe(201);
  const { secret } = (await answer.json()) as { secret: string };
  await change();
  await change();
  await idle();
  expect(received).toHaveLength(2);
  for (const { headers, body } of received) {
    const event = new Webhook(secret).verify(body, headers as Record<string, string>);
    expect(event).toMatchObject({ specversion: '1.0', data: { policyId, cause: 'importer', documents: true } });
    expect(headers['content-type']).toBe('application/cloudevents+json; charset=utf-8');
    expect(body).not.toContain('SECRET');
  }
});

it('a redirection is not followed', async () => {
  const { url, received } = await receiver();
  const { register, change, idle, engine } = await world([url]);
  await register(`${url}/moved`);
  await change();
  await idle();
  expect(received).toHaveLength(1);
  expect((await engine.program.getReadiness()).stuck).toMatchObject([
    { work: 'webhook', reason: 'it answered with the status 302' },
  ]);
});

it('an address that the operator did not allow is refused, and so is one with credentials', async () => {
  const { register } = await world(['https://hooks.example.org/in']);
  for (const url of [
    'http://127.0.0.1:1/',
    'https://hooks.example.org/',
    'https://user:word@hooks.example.org/in',
    'file:///etc/passwd',
  ]) {
    const answer = await register(url);
    expect([answer.status, await answer.json()]).toMatchObject([422, { error: 'WEBHOOK_URL_REFUSED' }]);
  }
});

it('only the owner of the policy sees its webhooks', async () => {
  const { list } = await world([]);
  expect((await list(registrant)).status).toBe(403);
  expect((await list(owner)).status).toBe(200);
});
