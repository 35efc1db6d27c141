/** A block without a view of its own: its raw response. */
import type { BlockViewProps } from '@blockwork/react';
import type { ReactNode } from 'react';
import { texts } from '../texts.js';
import { JsonView } from '../ui/json-view.js';
import { Loaded } from '../ui/loaded.js';
import { useBlock } from './policy-context.js';

export const AnyBlock = ({ block }: BlockViewProps): ReactNode => (
  <section className="card">
    <p className="quiet">{texts.page.unsupported(block.blockType)}</p>
    <Loaded query={useBlock(block.id)}>{(answer) => <JsonView value={answer} />}</Loaded>
  </section>
);
