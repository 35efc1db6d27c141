/** Metrics over HTTP, for whoever has the token: they say how much is done here, and what fails. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { PolicyEngine } from '@blockwork/core';
import type { HttpAnswer } from '../answer/http-answer.js';
import { AuthenticationError } from '../auth/authentication-error.js';
import { bearerToken } from '../auth/bearer.js';
import { EngineMetrics } from '../metrics/engine-metrics.js';
import { PROMETHEUS_TYPE } from '../metrics/prometheus-text.js';

export class MetricsPage {
  readonly #metrics: EngineMetrics;
  readonly #token: Buffer;

  constructor(engine: PolicyEngine, token: string) {
    this.#metrics = new EngineMetrics(engine);
    this.#token = digestOf(token);
  }

  /** `authorization`: the header. Rejects with `AuthenticationError`, and as `EngineMetrics.text`. */
  async answer(authorization = ''): Promise<HttpAnswer> {
    const token = bearerToken(authorization);
    if (!timingSafeEqual(digestOf(token), this.#token)) {
      throw new AuthenticationError('malformed', 'The token is not the one for the metrics.');
    }
    return {
      status: 200,
      headers: { 'Content-Type': PROMETHEUS_TYPE, 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' },
      body: await this.#metrics.text(),
    };
  }
}

/** Of one length, as the comparison needs. */
const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
