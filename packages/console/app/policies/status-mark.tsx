/** The status of a policy, in a word and a colour. */
import type { ReactNode } from 'react';
import { texts } from '../texts.js';

export const StatusMark = ({ status }: { readonly status: string }): ReactNode => (
  <span className={`mark ${status.toLowerCase()}`}>{texts.statuses[status] ?? status}</span>
);
