/** The webhooks of the reader's policies, and their dead letters, which can be inspected and resent. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Client, PolicyClient } from '@blockwork/client';
import { useClient } from '../api/server.js';
import { texts } from '../texts.js';
import { Failure } from '../ui/failure.js';
import { dateText } from '../ui/format.js';

type Webhook = Awaited<ReturnType<PolicyClient['webhooks']>>[number];
type DeadLetter = ReturnType<PolicyClient['deadLetters']> extends AsyncGenerator<infer Item> ? Item : never;

export interface ListedWebhook extends Webhook {
  /** Of its policy. */
  readonly name: string;
  /** The oldest of them. */
  readonly deadLetters: readonly DeadLetter[];
  readonly deadLetterCount: number;
}

/** Number of dead letters shown per webhook. */
const SHOWN = 20;

export async function readWebhooks(
  client: Client,
  { id: policyId, name }: { readonly id: string; readonly name: string },
  signal: AbortSignal,
): Promise<ListedWebhook[]> {
  const webhooks: ListedWebhook[] = [];
  for (const webhook of await client.policy(policyId).webhooks({ signal })) {
    const query = { pageIndex: 0, pageSize: SHOWN };
    const { data, headers } = await client.routes.listDeadLetters({ policyId, webhookId: webhook.id, query, signal });
    const deadLetterCount = Number(headers.get('x-total-count') ?? data.length);
    webhooks.push({ ...webhook, name, deadLetters: data, deadLetterCount });
  }
  return webhooks;
}

export const Webhooks = ({ all }: { readonly all: readonly ListedWebhook[] }): ReactNode => (
  <ul className="plain">
    {all.map((webhook) => (
      <li key={webhook.id}>
        <span className={webhook.suspended === null ? 'mark' : 'mark error'}>
          {webhook.suspended === null ? texts.operator.delivering : texts.operator.suspended}
        </span>{' '}
        {webhook.url} <span className="quiet">{webhook.name}</span>
        {webhook.suspended !== null && <p className="problem">{webhook.suspended}</p>}
        <GivenUp webhook={webhook} />
      </li>
    ))}
  </ul>
);

function GivenUp({ webhook }: { readonly webhook: ListedWebhook }): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const { id, policyId, deadLetters, deadLetterCount, resending, suspended } = webhook;
  const resend = useMutation({
    mutationFn: async () => client.policy(policyId).resendWebhook(id),
    onSettled: async () => queries.invalidateQueries({ queryKey: ['operator', 'own'] }),
  });
  if (deadLetterCount === 0 && suspended === null) return null;
  return (
    <>
      {deadLetterCount > 0 && (
        <details>
          <summary>{texts.operator.givenUp(deadLetterCount)}</summary>
          <ol className="given-up">
            {deadLetters.map(({ id: letterId, createDate, body, reason }) => (
              <li key={letterId}>
                <time dateTime={createDate}>{dateText(createDate)}</time> {typeIn(body)}{' '}
                <span className="problem">{reason}</span>
              </li>
            ))}
          </ol>
          {deadLetters.length < deadLetterCount && <p className="quiet">{texts.operator.oldestOf(SHOWN)}</p>}
        </details>
      )}
      <button
        type="button"
        disabled={resend.isPending || resending}
        onClick={() => {
          resend.mutate();
        }}
      >
        {resending ? texts.operator.resending : texts.operator.resend}
      </button>
      {resend.error !== null && <Failure error={resend.error} />}
    </>
  );
}

/** The event type; anything else is described only by its reason. */
function typeIn(body: string): string {
  try {
    const { type } = JSON.parse(body) as { readonly type?: unknown };
    return typeof type === 'string' ? type : '';
  } catch {
    return '';
  }
}
