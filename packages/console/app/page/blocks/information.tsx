/** A text for the user. */
import type { ReactNode } from 'react';
import { Loaded } from '../../ui/loaded.js';
import { useBlock, type Slot, type BlockProps } from '../policy-context.js';
import { textOf } from '../titles.js';

export function Information({ block }: BlockProps): ReactNode {
  const query = useBlock<Slot>(block.id);
  return (
    <Loaded query={query}>
      {({ uiMetaData }) => (
        <section className="card">
          <h2>{textOf(uiMetaData, 'title')}</h2>
          <p>{textOf(uiMetaData, 'description')}</p>
        </section>
      )}
    </Loaded>
  );
}
