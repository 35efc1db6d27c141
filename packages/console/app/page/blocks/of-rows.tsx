/** A placeholder for a block that acts on rows: it is used in the grid whose column names it. */
import { type BlockViewProps, titleOf } from '@blockwork/react';
import type { ReactNode } from 'react';
import { texts } from '../../texts.js';

export const OfRows = ({ block }: BlockViewProps): ReactNode => (
  <section className="card">
    <h2>{titleOf(block)}</h2>
    <p className="quiet">{texts.page.ofRows}</p>
  </section>
);
