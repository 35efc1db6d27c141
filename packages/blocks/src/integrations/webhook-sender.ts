/** Sends webhooks to the addresses that the program allows, over HTTP. */
import type { WebhookSender } from '@blockwork/core';
import { parseOptions, optionTypes, type OptionsOf } from '@blockwork/core/block';
import { allowList, isAllowable } from './allow-list.js';
import { nodeTransport } from './transport.js';

const shape = {
  /** Addresses that webhooks may call, each with everything below it: `https://hooks.example.org`. */
  allow: optionTypes.list(
    optionTypes.satisfying<string>(isAllowable, 'must be an address such as https://hooks.example.org'),
  ),
  /** Host names in `allow` that may resolve to addresses in a private network. */
  privateHosts: optionTypes.list(optionTypes.text).default([]),
  /** Timeout of one attempt; 15 seconds by default. */
  timeoutMs: optionTypes.milliseconds(1).default(15_000),
};

export type WebhookSenderOptions = OptionsOf<typeof shape, 'allow'>;

/** Maximum response size; the response itself is discarded. */
const ANSWER_BYTES = 64 * 1024;

/** For the engine option `webhooks`. Does not follow redirects. Throws `OPTION_INVALID`. */
export function webhookSender(options: WebhookSenderOptions): WebhookSender {
  const { allow, privateHosts, timeoutMs } = parseOptions<typeof shape, 'allow'>(options, shape, 'webhooks.');
  const allowed = allowList(allow, privateHosts);
  return {
    refusal: (url) => allowed.refusal(new URL(url)),
    async send({ url, headers, body }, stopping) {
      const address = new URL(url);
      const refusal = allowed.refusal(address);
      if (refusal !== null) throw new Error(refusal);
      const timeout = AbortSignal.timeout(timeoutMs);
      const limits = {
        signal: AbortSignal.any([stopping, timeout]),
        maxBytes: ANSWER_BYTES,
        mayBePrivate: allowed.mayBePrivate(address.hostname),
      };
      try {
        return await nodeTransport({ url: address, method: 'POST', headers, body }, limits);
      } catch (error) {
        if (timeout.aborted) throw new Error(`there was no answer within ${String(timeoutMs)} ms`, { cause: error });
        throw error;
      }
    },
  };
}
