/** A badge with the status of a policy. */
import type { ReactNode } from 'react';
import { texts } from '../texts.js';

export const StatusMark = ({ status }: { readonly status: string }): ReactNode => (
  <span className={`mark ${status.toLowerCase()}`}>{texts.statuses[status] ?? status}</span>
);
