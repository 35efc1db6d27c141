import { SequentialIds } from '@blockwork/testing';
import fc from 'fast-check';
import { Webhook as Verifier } from 'standardwebhooks';
import { expect, it } from 'vitest';
import type { Webhook } from '../records/index.js';
import { isWebhookSecret, newWebhookSecret, signedRequest, webhookMessage } from './webhook-message.js';

const secretOf = (bytes: Uint8Array): string => `whsec_${Buffer.from(bytes).toString('base64')}`;

const webhook = (secret: string): Webhook => ({
  id: 'hook',
  policyId: 'a policy/1',
  did: 'did:example:owner',
  url: 'https://hooks.example.org/in',
  events: ['unit'],
  secret,
  position: '1',
  suspended: null,
  resending: false,
  createDate: '2026-01-01T00:00:00.000Z',
});

it('a secret is 24 to 64 bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 90 }), (bytes) => {
      expect(isWebhookSecret(secretOf(bytes))).toBe(bytes.length >= 24 && bytes.length <= 64);
    }),
    { examples: [23, 24, 64, 65].map((length) => [new Uint8Array(length)] as [Uint8Array]) },
  );
});

it.each([
  ['without its prefix', (secret: string) => secret.slice('whsec_'.length)],
  ['behind something', (secret: string) => ` ${secret}`],
  ['before something', (secret: string) => `${secret}\n`],
  ['with three signs of padding', (secret: string) => `${secret}===`],
  ['that is not base64', (secret: string) => secret.replace('AA', 'A-')],
])('a secret %s is none', (_, spoiled) => {
  const secret = secretOf(new Uint8Array(30));
  expect([isWebhookSecret(secret), isWebhookSecret(spoiled(secret))]).toEqual([true, false]);
});

it('a new secret is one of 32 bytes, and another each time', () => {
  const ids = new SequentialIds();
  const [first, second] = [newWebhookSecret(ids), newWebhookSecret(ids)];
  expect([isWebhookSecret(first), isWebhookSecret(second)]).toEqual([true, true]);
  expect(Buffer.from(first.slice('whsec_'.length), 'base64')).toHaveLength(32);
  expect(first).not.toBe(second);
});

it('whatever the secret, the receiver who has it can verify the message, and who has another cannot', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 24, maxLength: 64 }), (bytes) => {
      const secret = secretOf(bytes);
      const message = webhookMessage(
        webhook(secret),
        { type: 'gap', id: '7', policyId: 'a policy/1' },
        '2026-03-01T12:00:00.000Z',
      );
      const { headers, body } = signedRequest(webhook(secret), message, Math.floor(Date.now() / 1000));
      expect(new Verifier(secret).verify(body, { ...headers })).toMatchObject({ id: '7' });
      const other = secretOf(bytes.map((byte) => byte ^ 1));
      expect(() => new Verifier(other).verify(body, { ...headers })).toThrow();
    }),
    { numRuns: 20 },
  );
});

it('a gap, which has no moment of its own, is told with the present one, in a source that is a valid URI', () => {
  const now = '2026-03-01T12:00:00.000Z';
  const { id, body } = webhookMessage(webhook(''), { type: 'gap', id: '7', policyId: 'a policy/1' }, now);
  expect(id).toBe('msg_hook_7');
  expect(JSON.parse(body)).toMatchObject({
    source: '/policies/a%20policy%2F1',
    type: 'blockwork.policy.gap',
    time: now,
  });
});
