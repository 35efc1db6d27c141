import type { PolicyRecord } from '@blockwork/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectAnswer } from './support/expect-answer.js';
import { message, record, requestId, requiredFields } from './support/remote-request.js';
import { bearer, openWorld, owner } from './support/world.js';
import type { World } from './support/world.js';

let world: World;
beforeEach(async () => {
  world = await openWorld();
  await world.engine.program.requests.receive(message());
});
afterEach(() => world.close());

const approve = (body: unknown, messageId = requestId): Promise<Response> =>
  world.send('PUT', `/external-policies/requests/${messageId}/approve`, body);

const policies = async (): Promise<string | null> =>
  (await world.call('GET', '/policies')).headers.get('x-total-count');

describe('an approval', () => {
  it('answers 200 with the record, and the policy is there', async () => {
    const body = await expectAnswer('approveRequest', await approve(record), 200);
    expect(body).toMatchObject({ id: record.id, name: 'Remote', userRole: 'No role' });
    expect((await world.call('GET', `/policies/${record.id}`)).status).toBe(200);
  });

  it('given again, one after another or fifty at once, answers the same and does nothing more', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, async () => (await approve(record)).text()));
    answers.push(await (await approve(record)).text());
    expect(new Set(answers).size).toBe(1);
    expect(await policies()).toBe('2');
  });

  it.each(requiredFields)('without %s is refused with 422, naming it, and changes nothing', async (field) => {
    const { [field]: _, ...rest } = record;
    const body = await expectAnswer('approveRequest', await approve(rest), 422);
    expect(body).toMatchObject({ error: 'RECORD_INVALID', details: [{ path: `/${field}` }] });
    expect(await policies()).toBe('1');
  });

  it('names every failure at once', async () => {
    const wrong = { ...record, name: 1, topicId: '1', tests: [{ status: 'Old' }] };
    const body = (await expectAnswer('approveRequest', await approve(wrong), 422)) as { details: { path: string }[] };
    expect(body.details.map((detail) => detail.path).sort()).toEqual(['/name', '/tests/0/status', '/topicId']);
  });

  it.each([
    ['owner', 'did:example:thief'],
    ['topicId', '0.0.1'],
    ['createDate', '2020-01-01T00:00:00Z'],
    ['id', 'another-policy'],
    ['uuid', '7b1c5d1e-0f6a-4f5e-9a53-3f0d3f0e7a12'],
  ])('that changes %s, which the server owns, is refused', async (field, value) => {
    const response = await approve({ ...record, [field]: value });
    expect(await expectAnswer('approveRequest', response, 422)).toMatchObject({ details: [{ path: `/${field}` }] });
    expect(await policies()).toBe('1');
  });

  it('of an unknown request answers 404', async () => {
    await expectAnswer('approveRequest', await approve(record, '1773670900.819264518'), 404);
  });

  it('of a request that was closed another way answers 409 and says how', async () => {
    const late = '1773670901.000000001';
    await world.engine.program.requests.receive({ ...message(late, 'late'), expiresAt: '2026-01-01T00:00:00Z' });
    const response = await approve({ ...record, id: 'late' } satisfies PolicyRecord, late);
    const body = await expectAnswer('approveRequest', response, 409);
    expect(body).toMatchObject({ error: 'REQUEST_CLOSED', message: expect.stringContaining('EXPIRED') as string });
  });

  it('by a caller who may only run policies is refused with 403', async () => {
    const response = await world.call('PUT', `/external-policies/requests/${requestId}/approve`, {
      headers: { authorization: bearer({ ...owner, role: 'USER' }), 'content-type': 'application/json' },
      body: JSON.stringify(record),
    });
    await expectAnswer('approveRequest', response, 403);
  });
});
