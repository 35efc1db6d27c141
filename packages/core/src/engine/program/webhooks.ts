/** Webhook delivery, for the embedding program. */
import type { WebhookDelivery } from '../../webhooks/index.js';
import type { Gate } from '../gate.js';

export class ProgramWebhooks {
  constructor(
    private readonly gate: Gate,
    /** `null` if webhooks are disabled. */
    private readonly delivery: WebhookDelivery | null,
  ) {}

  /**
   * Resolves when nothing is being sent and only events waiting for a retry are left. Throws `ENGINE_CLOSED`.
   *
   * @example await engine.program.webhooks.idle();
   */
  async idle(): Promise<void> {
    this.gate.assertOpen();
    await this.delivery?.idle();
  }
}
