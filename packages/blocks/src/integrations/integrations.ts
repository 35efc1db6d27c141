/** The services that a program makes available to `integrationButtonBlock`, and one call of them. */
import { checkOptions, optionTypes, type OptionShape } from '@blockwork/core/block';
import { isObject, type Json, type JsonObject, type RunContext } from '@blockwork/core/block';
import { once } from 'node:events';
import { z } from 'zod';

/** What a policy asks of a service. */
export interface IntegrationCall {
  /** As the policy names it: `<type>_<method>`. */
  readonly requestName: string;
  /** From the policy, and from the document of the row. */
  readonly params: Readonly<Record<string, Json>>;
  readonly policyId: string;
  /** Who pressed the button. */
  readonly did: string;
  /** Aborted when the time is over. */
  readonly signal: AbortSignal;
}

export interface IntegrationAnswer {
  /** JSON; of other types of data a text, such as base64. */
  readonly data: Json;
  /** `JSON` when absent. */
  readonly type?: string;
}

/**
 * One kind of request. Calls whatever it wants, since the program has allowed it by its name; where a unit of work runs again for
 * another node, the answer is kept, but after a crash it may be asked again. Whoever pressed the button reads the message of an
 * error that it throws, so no secret belongs there.
 */
export type Integration = (call: IntegrationCall) => Promise<IntegrationAnswer> | IntegrationAnswer;

export interface IntegrationOptions {
  /** By request name. A policy can call these, and nothing else. */
  readonly requests?: Readonly<Record<string, Integration>>;
  /** Limit for one call; 10 seconds when absent. The policy's other runs wait as long. */
  readonly timeoutMs?: number;
  /** Largest answer, as bytes of JSON; 1 MiB when absent. */
  readonly maxBytes?: number;
}

const shape: OptionShape<IntegrationOptions> = {
  requests: optionTypes.satisfying(
    (value) => isObject(value) && Object.values(value).every((each) => typeof each === 'function'),
    'must be an object of functions, by request name',
  ),
  timeoutMs: optionTypes.milliseconds(1),
  maxBytes: optionTypes.wholeNumber(1),
};

const answered = z.object({ data: z.json(), type: z.string().min(1).max(50).default('JSON') });
export type Answered = z.output<typeof answered>;

export class Integrations {
  readonly #requests: ReadonlyMap<string, Integration>;
  readonly #timeoutMs: number;
  readonly #maxBytes: number;

  /** Throws `OPTION_INVALID`. */
  constructor(options: IntegrationOptions = {}) {
    checkOptions(options, shape, 'integrations.');
    const { requests = {}, timeoutMs = 10_000, maxBytes = 1_048_576 } = options;
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
    const asked = JSON.stringify([requestName, params]);
    return ctx.once(asked, async () => {
      const signal = AbortSignal.timeout(this.#timeoutMs);
      const fail = (reason: string): never =>
        ctx.fail('REMOTE_CALL_FAILED', { facts: { address: requestName, reason } });
      const call: IntegrationCall = { requestName, params, policyId: ctx.policy.id, did: ctx.user.did, signal };
      const given = await withinTime(async () => request(call), signal).catch((error: unknown) =>
        fail(signal.aborted ? `there was no answer within ${String(this.#timeoutMs)} ms` : messageOf(error)),
      );
      const answer = answered.safeParse(given);
      if (!answer.success) return fail('its answer is not { data, type } with JSON as data');
      const size = Buffer.byteLength(JSON.stringify(answer.data.data));
      if (size > this.#maxBytes)
        fail(`its answer has ${String(size)} bytes, and ${String(this.#maxBytes)} are allowed`);
      return answer.data;
    });
  }
}

/** Rejects when the signal is aborted, whatever the work does then. */
async function withinTime<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = once(signal, 'abort').then((): never => {
    throw new Error('aborted');
  });
  return Promise.race([work(), aborted]);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
