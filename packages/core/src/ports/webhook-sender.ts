/** Sends webhooks over the network. */

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
}

export interface WebhookSender {
  /** Why nothing may be sent to the address, completing the sentence "It cannot be called: ..."; `null` if it may. */
  refusal(url: string): string | null;
  /**
   * Posts the body and resolves with the response, whose body is ignored. Limits its time, follows no redirects, and
   * rejects addresses that `refusal` rules out. Rejects if there is no response.
   */
  send(request: WebhookRequest, signal: AbortSignal): Promise<WebhookResponse>;
}

export interface WebhookResponse {
  readonly status: number;
  /** The `Retry-After` header, as received. */
  readonly retryAfter?: string | null;
}
