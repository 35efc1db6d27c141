/** Navigation between incoming and outgoing requests. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { texts } from '../texts.js';

export const RequestsNav = ({ at }: { readonly at: 'list' | 'refused' }): ReactNode => (
  <nav className="tabs" aria-label={texts.requests.title}>
    <Link href="/requests" className={at === 'list' ? 'active' : ''} aria-current={at === 'list' ? 'page' : undefined}>
      {texts.requests.all}
    </Link>
    <Link
      href="/requests/refused"
      className={at === 'refused' ? 'active' : ''}
      aria-current={at === 'refused' ? 'page' : undefined}
    >
      {texts.requests.refused}
    </Link>
  </nav>
);
