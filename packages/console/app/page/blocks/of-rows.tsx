/** A placeholder for a block that acts on rows: it is used in the grid whose column names it. */
import type { ReactNode } from 'react';
import { texts } from '../../texts.js';
import type { BlockProps } from '../policy-context.js';
import { titleOf } from '../titles.js';

export const OfRows = ({ block }: BlockProps): ReactNode => (
  <section className="card">
    <h2>{titleOf(block)}</h2>
    <p className="quiet">{texts.page.ofRows}</p>
  </section>
);
