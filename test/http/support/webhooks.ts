/** Webhooks of the owner, as they are stored, and a sender whose receivers take everything. */
import type { WebhookSender } from '@blockwork/core';
import type { ChangeSet } from '@blockwork/core/adapter';

export const removableWebhook = 'webhook-to-be-removed';
export const webhook = 'webhook-with-dead-letters';
export const webhookUrl = 'https://hooks.example.org/in';

const stored = (id: string, policyId: string) => ({
  id,
  policyId,
  did: 'did:example:owner',
  url: webhookUrl,
  events: ['status' as const],
  secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
  position: '999999999999',
  suspended: 'it answered with the status 410',
  resending: false,
  createDate: '2026-01-01T00:00:00.000Z',
});

export const webhooksOf = (policyId: string): ChangeSet => ({
  expect: {},
  changes: [
    ...[removableWebhook, webhook].map(
      (id) => ({ op: 'put', kind: 'webhook', partition: 'instance', value: stored(id, policyId) }) as const,
    ),
    {
      op: 'put',
      kind: 'webhook-dead-letter',
      partition: 'instance',
      value: {
        id: 'dead-letter',
        webhookId: webhook,
        body: '{}',
        messageId: 'msg_1',
        reason: 'it answered with the status 500',
        createDate: '2026-01-01T00:00:00.000Z',
      },
    },
  ],
});

export const takingEverything: WebhookSender = {
  refusal: (url) =>
    url.startsWith('https://hooks.example.org/') ? null : 'it is not in the list of allowed addresses',
  send: () => Promise.resolve({ status: 204 }),
};
