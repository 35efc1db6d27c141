/** A text for the user. */
import { type BlockViewProps, type Slot, textOf } from '@blockwork/react';
import type { ReactNode } from 'react';
import { Loaded } from '../../ui/loaded.js';
import { useBlock } from '../policy-context.js';

export function Information({ block }: BlockViewProps): ReactNode {
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
