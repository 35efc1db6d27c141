/** A receiver of webhooks fails: its owner sees what was given up and why, and sends it once more. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { webhookSender } from '@blockwork/blocks';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { expectNothingFromAxe } from './support/axe.js';
import { chromiumPath } from './support/browser.js';
import { owner, type ConsoleWorld } from './support/console-world.js';
import { becomeProducer, openJourney, type Journey } from './support/journey.js';

describe.skipIf(chromiumPath === undefined)('A dead letter of a webhook', () => {
  let receiver: Server;
  let journey: Journey;
  let status = 500;
  const received: (string | string[] | undefined)[] = [];

  const deadLetters = async ({ engine, policyId }: ConsoleWorld): Promise<number> => {
    const hooks = await engine.webhooks.list(owner, policyId);
    const lists = await Promise.all(hooks.map(async ({ id }) => engine.webhooks.deadLetters(owner, policyId, id)));
    return lists.reduce((sum, { total }) => sum + total, 0);
  };

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      request.resume();
      request.on('end', () => {
        received.push(request.headers['webhook-id']);
        response.writeHead(status).end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${String((receiver.address() as AddressInfo).port)}/hook`;
    const webhooks = webhookSender({ allow: [url] });
    const before = async (world: ConsoleWorld): Promise<void> => {
      await world.engine.webhooks.register(owner, world.policyId, { url });
      await becomeProducer(world);
      await vi.waitUntil(async () => (await deadLetters(world)) === 1, { timeout: 60_000 });
    };
    const engine = { webhooks, limits: { webhookAttempts: 1 } };
    journey = await openJourney({ at: () => '/operator', people: [owner], before, engine });
  });

  afterAll(async () => {
    await journey.close();
    await new Promise((resolve) => receiver.close(resolve));
  });

  it('is listed with its reason', async () => {
    const { page } = journey;
    await page.getByText('1 undelivered event').click();
    await page.getByText('it answered with the status 500').waitFor();
    await expectNothingFromAxe(page);
  });

  it('is resent and then leaves the list', async () => {
    const { page, world } = journey;
    status = 200;
    await page.getByRole('button', { name: 'Resend' }).click();
    await page.getByText('1 undelivered event').waitFor({ state: 'detached' });
    expect(await deadLetters(world)).toBe(0);
    // The same message, as its receiver tells by the id.
    expect(received).toHaveLength(2);
    expect(new Set(received).size).toBe(1);
    expect(journey.window.watched.problems).toEqual([]);
  });
});
