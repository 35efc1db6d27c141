/** A request in one line. */
import type { ReactNode } from 'react';
import type { Client } from '@blockwork/client';
import { texts } from '../texts.js';
import { dateText, spanText } from '../ui/format.js';

export type RequestRow = Awaited<ReturnType<Client['routes']['listRequests']>>['data'][number];

export const requestPath = (messageId: string): string => `/requests/${encodeURIComponent(messageId)}`;

export const RequestTitle = ({ request }: { readonly request: RequestRow }): ReactNode => {
  const { type, direction, policyId, sender, to } = request;
  return <strong>{texts.requests.asks[type](direction === 'incoming' ? sender.instance : to, policyId)}</strong>;
};

export const StatusOfRequest = ({ status }: { readonly status: string }): ReactNode => (
  <span className={`mark ${status.toLowerCase()}`}>{texts.requests.statuses[status] ?? status}</span>
);

/** How long the request has been pending, and when it expires. */
export const timeText = ({ receivedAt, expiresAt }: RequestRow): string =>
  texts.requests.waiting(spanText(Date.now() - Date.parse(receivedAt)), dateText(expiresAt));
