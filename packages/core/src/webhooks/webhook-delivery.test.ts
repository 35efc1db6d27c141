/** Events on their way to webhooks: what is sent, remembered, given up and told. */
import { SequentialIds } from '@blockwork/testing';
import { describe, expect, it, vi } from 'vitest';
import { simulatedWorld, turn, UnsteadyStore } from '../../test/background.js';
import { BlockworkError } from '../errors.js';
import type { Change, ChangeSet, LogFields, WebhookRequest, WebhookResponse } from '../ports/index.js';
import { INSTANCE, type Webhook } from '../records/index.js';
import { Executor } from '../transactions/index.js';
import { WebhookDelivery, type WebhookDeliveryDeps } from './webhook-delivery.js';
import { WebhookStore } from './webhook-store.js';

const webhookOf = (more: Partial<Webhook> = {}): Webhook => ({
  ...{ id: 'hook', policyId: 'p', did: 'did:example:owner', url: 'https://hooks.example.org/in', events: ['unit'] },
  ...{ secret: `whsec_${Buffer.alloc(32).toString('base64')}`, position: '00', suspended: null, resending: false },
  createDate: '2026-01-01T00:00:00.000Z',
  ...more,
});

interface TestEvent {
  readonly id: string;
  readonly type: string;
}

class SharedStore extends UnsteadyStore {
  override readonly capabilities = { durable: false, shared: true };
}

function world({ attempts = 3, isShared = false } = {}) {
  const around = simulatedWorld();
  const store = isShared ? new SharedStore() : around.store;
  const warnings: [string, LogFields | undefined][] = [];
  const logger = { ...around.logger, warn: (text: string, fields?: LogFields) => void warnings.push([text, fields]) };
  const commits = {
    committed: (changeSet: ChangeSet) => delivery.committed(changeSet),
  };
  const executor = new Executor({ store, commits, limits: { conflictRetries: 3 } });
  const limits = { webhooks: 9, webhookAttempts: attempts, webhookDeadLetters: 9 };
  const webhooks = new WebhookStore({ store, executor, clock: around.clock, ids: new SequentialIds(), limits });
  const requests: WebhookRequest[] = [];
  const answers: (number | Error | WebhookResponse)[] = [];
  let whileSending = (): unknown => undefined;
  const sender = {
    refusal: () => null,
    send: async (request: WebhookRequest): Promise<WebhookResponse> => {
      requests.push(request);
      await whileSending();
      const answer = answers.shift() ?? 204;
      if (answer instanceof Error) throw answer;
      return typeof answer === 'number' ? { status: answer } : answer;
    },
  };
  const journal: TestEvent[] = [];
  const unread = vi.fn(async function* (_caller: object, policyId: string, after: string) {
    await Promise.resolve();
    if (policyId === 'gone') throw new BlockworkError('POLICY_UNKNOWN', { facts: { policyId } });
    for (const event of journal) if (event.id > after) yield { event: { ...event, policyId }, traceparent: undefined };
  });
  const delivery = new WebhookDelivery({
    ...{ ...around, store, logger, webhooks, sender, limits, events: { unread } },
  } as unknown as WebhookDeliveryDeps);
  const note = (kind: string, partition: string): void => {
    const change = { op: 'put', kind, partition, value: { id: 'x' } } as unknown as Change;
    delivery.committed({ expect: {}, changes: [change] });
  };
  const happen = async (...events: readonly TestEvent[]): Promise<void> => {
    journal.push(...events);
    note('journal', 'p');
    await delivery.idle();
  };
  const register = async (more: Partial<Webhook> = {}): Promise<void> => {
    await webhooks.add(webhookOf(more), () => undefined);
    await delivery.idle();
  };
  const position = async () => (await webhooks.get('hook'))?.position;
  const sent = () => requests.map(({ body }) => (JSON.parse(body) as TestEvent).id);
  const during = (act: () => unknown): void => void (whileSending = act);
  return {
    ...around,
    journal,
    store,
    delivery,
    webhooks,
    requests,
    answers,
    warnings,
    unread,
    note,
    happen,
    register,
    position,
    sent,
    during,
  };
}

const unit = (at: number): TestEvent => ({ id: String(at).padStart(2, '0'), type: 'unit' });
const units = (from: number, to: number): TestEvent[] =>
  Array.from({ length: to - from + 1 }, (_, at) => unit(from + at));

describe('a webhook', () => {
  it('gets the events that it asked for, and gaps, and is past the others as well', async () => {
    const { register, happen, sent, position } = world();
    await register();
    await happen(unit(1), { id: '02', type: 'lifecycle' }, { id: '03', type: 'gap' }, { id: '04', type: 'lifecycle' });
    expect([sent(), await position()]).toEqual([['01', '03'], '04']);
  });

  it('is called with a signed request at its address, under the moment of the attempt', async () => {
    const { register, happen, requests, clock } = world();
    await register();
    await happen(unit(1));
    expect(requests).toMatchObject([
      {
        url: 'https://hooks.example.org/in',
        headers: {
          'content-type': 'application/cloudevents+json; charset=utf-8',
          'webhook-id': 'msg_hook_01',
          'webhook-timestamp': String(Math.floor(clock.now() / 1000)),
          'webhook-signature': expect.stringMatching(/^v1,/) as string,
        },
      },
    ]);
  });

  it('has its position saved after every twentieth event, and at the end', async () => {
    const { register, happen, webhooks, position } = world();
    await register();
    const change = vi.spyOn(webhooks, 'change');
    await happen(...units(1, 45));
    expect(change.mock.calls.map(([, { position: saved }]) => saved)).toEqual(['20', '40', '45']);
    change.mockClear();
    await happen(...units(46, 65));
    expect([change.mock.calls.length, await position()]).toEqual([1, '65']);
    await happen();
    expect(change).toHaveBeenCalledTimes(1);
  });

  it('is removed when its policy is gone', async () => {
    const { register, webhooks, warnings, delivery } = world();
    await register({ policyId: 'gone' });
    expect([await webhooks.get('hook'), warnings, delivery.stuck()]).toEqual([undefined, [], []]);
  });

  it('is looked at again for what happens while its position is saved', async () => {
    const { register, happen, note, webhooks, journal, sent } = world();
    await register();
    const change = webhooks.change.bind(webhooks);
    webhooks.change = async (...args) => {
      if (journal.length === 1) {
        journal.push(unit(2));
        note('journal', 'p');
        for (let turns = 0; turns < 5; turns += 1) await turn();
      }
      return change(...args);
    };
    await happen(unit(1));
    expect(sent()).toEqual(['01', '02']);
  });

  it('gets nothing more once the process stops, and is past what it got', async () => {
    const { register, happen, delivery, position, sent, during } = world();
    await register();
    const stopping: Promise<void>[] = [];
    during(() => void stopping.push(delivery.stop()));
    await happen(unit(1), unit(2));
    await Promise.all(stopping);
    expect([sent(), await position()]).toEqual([['01'], '01']);
  });

  it('that is suspended, or no more, gets nothing', async () => {
    const { register, happen, webhooks, sent } = world();
    await register({ suspended: 'by its owner' });
    await happen(unit(1));
    await webhooks.remove(webhookOf());
    await happen(unit(2));
    expect(sent()).toEqual([]);
  });

  it('whose receiver is gone is suspended with the reason, which is told', async () => {
    const { register, happen, webhooks, answers, warnings, sent, delivery } = world();
    await register();
    answers.push(410);
    await happen(unit(1), unit(2));
    expect((await webhooks.get('hook'))?.suspended).toBe('it answered with the status 410');
    expect(warnings).toEqual([
      [
        'A webhook is suspended: its receiver wants no more.',
        { webhookId: 'hook', policyId: 'p', reason: 'it answered with the status 410' },
      ],
    ]);
    await happen(unit(3));
    expect([sent(), delivery.stuck()]).toEqual([['01'], []]);
  });
});

describe('a message that is not accepted', () => {
  it('is tried again after pauses, the same one, and the later ones come after it', async () => {
    const { register, happen, answers, warnings, requests, sent, delivery, toNextWakeUp } = world();
    await register();
    answers.push(new Error('no route'), 500);
    await happen(unit(1), unit(2));
    expect(delivery.stuck()).toMatchObject([{ work: 'webhook', id: 'hook', failures: 1, reason: 'no route' }]);
    expect(warnings).toMatchObject([
      ['A webhook failed and will be tried again.', { webhookId: 'hook', error: { message: 'no route' } }],
    ]);
    expect([await toNextWakeUp(delivery), await toNextWakeUp(delivery)]).toEqual([5_000, 10_000]);
    expect([sent(), delivery.stuck()]).toEqual([['01', '01', '01', '02'], []]);
    expect(new Set(requests.slice(0, 3).map(({ body }) => body)).size).toBe(1);
  });

  it('is tried again as late as its receiver asks', async () => {
    const { register, happen, answers, delivery, toNextWakeUp } = world();
    await register();
    answers.push({ status: 503, retryAfter: '60' });
    await happen(unit(1));
    expect([await toNextWakeUp(delivery), delivery.stuck()]).toEqual([60_000, []]);
  });

  it('is given up after the last attempt, kept, told, and the next one is sent at once', async () => {
    const { register, happen, webhooks, answers, warnings, sent, position, delivery, toNextWakeUp } = world({
      attempts: 2,
    });
    await register();
    answers.push(300, 199);
    await happen(unit(1), unit(2));
    warnings.length = 0;
    await toNextWakeUp(delivery);
    expect([sent(), await position()]).toEqual([['01', '01', '02'], '02']);
    expect(await webhooks.deadLetters('hook')).toMatchObject([
      { messageId: 'msg_hook_01', reason: 'it answered with the status 199' },
    ]);
    const facts = { webhookId: 'hook', policyId: 'p', reason: 'it answered with the status 199', failures: 2 };
    expect(warnings).toEqual([['A webhook gave up an event, which is kept as a dead letter.', facts]]);
    expect(await toNextWakeUp(delivery)).toBeUndefined();
  });

  it('counts its failures anew after a success', async () => {
    const { register, happen, webhooks, answers, delivery, toNextWakeUp } = world({ attempts: 2 });
    await register();
    answers.push(500, 200, 500);
    await happen(unit(1), unit(2));
    await toNextWakeUp(delivery);
    expect(await webhooks.deadLetters('hook')).toEqual([]);
    await toNextWakeUp(delivery);
    expect([await webhooks.deadLetters('hook'), delivery.stuck()]).toEqual([[], []]);
  });

  it('is not given up because the process stops', async () => {
    const { register, happen, webhooks, answers, delivery, position, during } = world({ attempts: 1 });
    await register();
    answers.push(new Error('aborted'));
    const stopping: Promise<void>[] = [];
    during(() => void stopping.push(delivery.stop()));
    await happen(unit(1), unit(2));
    await Promise.all(stopping);
    expect([await webhooks.deadLetters('hook'), await position()]).toEqual([[], '00']);
  });
});

describe('dead letters that are to be sent again', () => {
  const letters = async (around: ReturnType<typeof world>): Promise<void> => {
    await around.register();
    around.answers.push(500, 500);
    await around.happen(unit(1), unit(2));
  };

  it('are sent in their order, before what is new, and are none any more', async () => {
    const around = world({ attempts: 1 });
    await letters(around);
    expect(await around.webhooks.deadLetters('hook')).toHaveLength(2);
    around.requests.length = 0;
    around.note('journal', 'q');
    await around.webhooks.change(webhookOf(), { resending: true });
    await around.delivery.idle();
    await around.happen(unit(3));
    expect([around.sent(), await around.webhooks.deadLetters('hook')]).toEqual([['01', '02', '03'], []]);
    expect(await around.webhooks.get('hook')).toMatchObject({ resending: false, position: '03' });
  });

  it('stay if they are refused again, which is told, and the others are sent', async () => {
    const around = world({ attempts: 1 });
    await letters(around);
    around.warnings.length = 0;
    around.answers.push(400);
    await around.webhooks.change(webhookOf(), { resending: true });
    await around.delivery.idle();
    expect(await around.webhooks.deadLetters('hook')).toMatchObject([{ messageId: 'msg_hook_01' }]);
    const error = { message: 'it answered with the status 400' };
    expect(around.warnings).toMatchObject([
      ['A webhook refused an event again; it is kept.', { webhookId: 'hook', error }],
    ]);
    expect((await around.webhooks.get('hook'))?.resending).toBe(false);
  });
});

describe('webhooks are looked at', () => {
  it('for what happens in their policy, and for nothing else', async () => {
    const { register, note, webhooks, delivery, unread } = world();
    await register();
    await register({ id: 'other', policyId: 'q' });
    unread.mockClear();
    const [active, wake] = [vi.spyOn(webhooks, 'active'), vi.spyOn(delivery, 'wake')];
    for (const [kind, partition] of [
      ['document', 'p'],
      ['journal', 'unknown'],
      ['timer', INSTANCE],
    ] as const)
      note(kind, partition);
    await delivery.idle();
    expect([active.mock.calls, unread.mock.calls, wake.mock.calls]).toEqual([[], [], []]);
    note('journal', 'p');
    await delivery.idle();
    expect([active.mock.calls.length, unread.mock.calls.map(([, policyId]) => policyId)]).toEqual([0, ['p']]);
    expect(unread.mock.calls[0]?.[0]).toEqual({ did: 'did:example:owner' });
  });

  it('all of them at the start', async () => {
    const { store, delivery, unread } = world();
    const changes = ['a', 'b'].map(
      (id) => ({ op: 'put', kind: 'webhook', partition: INSTANCE, value: webhookOf({ id, policyId: id }) }) as const,
    );
    await store.commit({ expect: {}, changes });
    delivery.start();
    await delivery.idle();
    expect(unread.mock.calls.map(([, policyId]) => policyId)).toEqual(['a', 'b']);
  });

  it('all of them a minute after the last time, whatever happens in between', async () => {
    const { register, note, delivery, timers, unread, toNextWakeUp } = world({ isShared: true });
    await register();
    await register({ id: 'other', policyId: 'q' });
    timers.advance(40_000);
    note('journal', 'p');
    await delivery.idle();
    unread.mockClear();
    expect([await toNextWakeUp(delivery), unread.mock.calls.length]).toEqual([20_000, 2]);
    await delivery.stop();
  });

  it('all of them, every minute, on a store that others share', async () => {
    const { register, delivery, unread, store, toNextWakeUp, timers } = world({ isShared: true });
    await register();
    const value = webhookOf({ id: 'elsewhere', policyId: 'q' });
    await store.commit({ expect: {}, changes: [{ op: 'put', kind: 'webhook', partition: INSTANCE, value }] });
    unread.mockClear();
    expect([await toNextWakeUp(delivery), unread.mock.calls.map(([, policyId]) => policyId)]).toEqual([
      60_000,
      ['p', 'q'],
    ]);
    expect(timers.pending).toHaveLength(1);
    await delivery.stop();
  });
});
