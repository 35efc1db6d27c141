/** Announces the last unit of work as text, for screen readers. */
import type { ReactNode } from 'react';
import type { LastUnit as Unit } from '../../live/live-store.js';
import { texts } from '../../texts.js';
import { timeText } from '../../ui/format.js';

export const LastUnit = ({ last }: { readonly last: Unit | undefined }): ReactNode => (
  <p className="quiet last-unit two-lines" role="status">
    {last === undefined
      ? texts.live.quiet
      : texts.live.lastUnit(last.revision, texts.live.causes[last.cause] ?? last.cause, timeText(last.at), last.tags)}
  </p>
);
