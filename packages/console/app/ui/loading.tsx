/** A loading indicator. Inside an `in-order` list, later items stay hidden until it is gone. */
import type { ReactNode } from 'react';
import { texts } from '../texts.js';

export const Loading = ({ isPadded = false }: { readonly isPadded?: boolean }): ReactNode => (
  <p className={isPadded ? 'quiet loading padded' : 'quiet loading'} role="status">
    {texts.loading}
  </p>
);
