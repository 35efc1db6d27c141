/** The sending of webhooks, for the program. */
import type { WebhookDelivery } from '../../webhooks/index.js';
import type { Gate } from '../gate.js';

export class ProgramWebhooks {
  constructor(
    private readonly gate: Gate,
    /** `null` where none are sent. */
    private readonly delivery: WebhookDelivery | null,
  ) {}

  /** Resolves when nothing is being sent, and nothing is left but what waits for its next attempt. Throws `ENGINE_CLOSED`. */
  async idle(): Promise<void> {
    this.gate.assertOpen();
    await this.delivery?.idle();
  }
}
