/** Says that something is being read. In a list that is `in-order`, what follows is shown when it is there. */
import type { ReactNode } from 'react';
import { texts } from '../texts.js';

export const Loading = ({ isPadded = false }: { readonly isPadded?: boolean }): ReactNode => (
  <p className={isPadded ? 'quiet loading padded' : 'quiet loading'} role="status">
    {texts.loading}
  </p>
);
