/** The last event of a block, highlighted briefly when it occurs. */
import type { ReactNode } from 'react';
import type { Touch } from '../../live/live-store.js';
import { texts } from '../../texts.js';
import { timeText } from '../../ui/format.js';

interface TouchMarkProps {
  readonly touch: Touch | undefined;
  /** The revision of the policy's last unit. */
  readonly latest: number | undefined;
}

export function TouchMark({ touch, latest }: TouchMarkProps): ReactNode {
  if (touch === undefined) return null;
  const { revision, at, cause } = touch;
  return (
    // A new key restarts the animation.
    <span key={revision} className={revision === latest ? 'touch latest' : 'touch'}>
      {texts.live.causes[cause] ?? cause} <time dateTime={at}>{timeText(at)}</time>
    </span>
  );
}
