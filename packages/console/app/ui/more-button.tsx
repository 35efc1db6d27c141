/** Loads the next page of a list, if there is one. */
import type { ReactNode } from 'react';
import type { Pages } from '../api/use-pages.js';
import { texts } from '../texts.js';

export const MoreButton = ({ query, more }: Pick<Pages<unknown>, 'query' | 'more'>): ReactNode =>
  query.hasNextPage && (
    <button type="button" disabled={query.isFetching} onClick={more}>
      {texts.more}
    </button>
  );
