/** The services that a program provides to `integrationButtonBlock`, and calls to them. */
import { parseOptions, optionTypes, type OptionsOf } from '@blockwork/core/block';
import { isObject, type Json, type JsonObject, type RunContext } from '@blockwork/core/block';
import { once } from 'node:events';
import { z } from 'zod';

/** A policy's request to a service. */
export interface IntegrationCall {
  /** As the policy names it: `<type>_<method>`. */
  readonly requestName: string;
  /** From the policy, and from the document of the row. */
  readonly params: Readonly<Record<string, Json>>;
  readonly policyId: string;
  /** The user who pressed the button. */
  readonly did: string;
  /** Aborted on timeout. */
  readonly signal: AbortSignal;
}

export interface IntegrationAnswer {
  /** JSON; for other types of data a text, such as base64. */
  readonly data: Json;
  /** `JSON` when absent. */
  readonly type?: string;
}

/**
 * Handles one kind of request. May call anything, since the program allowed it by name. The response is kept when the unit of
 * work is retried for another node, but the call may be repeated after a crash. Messages of thrown errors are shown to the
 * user who pressed the button, so they must not contain secrets.
 */
export type Integration = (call: IntegrationCall) => Promise<IntegrationAnswer> | IntegrationAnswer;

const shape = {
  /** Handlers by request name. A policy can call only these. */
  requests: optionTypes
    .satisfying<Readonly<Record<string, Integration>>>(
      (value) => isObject(value) && Object.values(value).every((each) => typeof each === 'function'),
      'must be an object of functions, by request name',
    )
    .default({}),
  /** Timeout of one call; 10 seconds by default. The policy's other runs wait meanwhile. */
  timeoutMs: optionTypes.milliseconds(1).default(10_000),
  /** Maximum response size, as bytes of JSON; 1 MiB by default. */
  maxBytes: optionTypes.wholeNumber(1).default(1_048_576),
};

export type IntegrationOptions = OptionsOf<typeof shape>;

const answered = z.object({ data: z.json(), type: z.string().min(1).max(50).default('JSON') });
export type Answered = z.output<typeof answered>;

export class Integrations {
  readonly #requests: ReadonlyMap<string, Integration>;
  readonly #timeoutMs: number;
  readonly #maxBytes: number;

  /** Throws `OPTION_INVALID`. */
  constructor(options: IntegrationOptions = {}) {
    const { requests, timeoutMs, maxBytes } = parseOptions(options, shape, 'integrations.');
    this.#requests = new Map(Object.entries(requests));
    this.#timeoutMs = timeoutMs;
    this.#maxBytes = maxBytes;
  }

  allows(requestName: string): boolean {
    return this.#requests.has(requestName);
  }

  /** Fails with `INTEGRATION_NOT_ALLOWED`, or `REMOTE_CALL_FAILED`. */
  async call(ctx: RunContext, requestName: string, params: JsonObject): Promise<Answered> {
    const request = this.#requests.get(requestName);
    if (request === undefined) return ctx.fail('INTEGRATION_NOT_ALLOWED', { facts: { requestName } });
    const requestText = JSON.stringify([requestName, params]);
    return ctx.once(requestText, async () => {
      const signal = AbortSignal.timeout(this.#timeoutMs);
      const fail = (reason: string): never =>
        ctx.fail('REMOTE_CALL_FAILED', { facts: { address: requestName, reason } });
      const call: IntegrationCall = { requestName, params, policyId: ctx.policy.id, did: ctx.user.did, signal };
      const response = await withinTime(async () => request(call), signal).catch((error: unknown) =>
        fail(signal.aborted ? `there was no answer within ${String(this.#timeoutMs)} ms` : messageOf(error)),
      );
      const answer = answered.safeParse(response);
      if (!answer.success) return fail('its answer is not { data, type } with JSON as data');
      const size = Buffer.byteLength(JSON.stringify(answer.data.data));
      if (size > this.#maxBytes)
        fail(`its answer has ${String(size)} bytes, and ${String(this.#maxBytes)} are allowed`);
      return answer.data;
    });
  }
}

/** Rejects when the signal is aborted, even if the work continues. */
async function withinTime<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = once(signal, 'abort').then((): never => {
    throw new Error('aborted');
  });
  return Promise.race([work(), aborted]);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
