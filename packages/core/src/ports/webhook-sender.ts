/** Sends webhooks over the network. */

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
}

export interface WebhookSender {
  /** Why nothing may be sent to the address, to complete the sentence "It cannot be called: ..."; `null` if it may. */
  refusal(url: string): string | null;
  /**
   * Posts the body and resolves with the status of the answer, whose body nobody reads. Limits its time, follows no
   * redirection, and refuses again what `refusal` refuses. Rejects if there is no answer.
   */
  send(request: WebhookRequest, signal: AbortSignal): Promise<{ readonly status: number }>;
}
