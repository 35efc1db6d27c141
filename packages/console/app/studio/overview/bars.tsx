/** A small bar chart, a bar a day, which says in words what it shows. */
import type { ReactNode } from 'react';
import { countText } from '../../ui/format.js';
import { studioTexts } from '../texts.js';
import type { Day } from './per-day.js';

const texts = studioTexts.overview;

const HEIGHT = 64;
const STEP = 20;
const WIDTH = 14;

interface BarsProps {
  readonly label: string;
  readonly days: readonly Day[];
  /** After each number. */
  readonly unit: string;
}

const dates = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

export function Bars({ label, days, unit }: BarsProps): ReactNode {
  const most = Math.max(...days.map(({ total }) => total));
  const text = (total: number): string => `${countText(total)} ${unit}`.trim();
  const sum = days.reduce((all, { total }) => all + total, 0);
  const [first, last] = [days[0], days.at(-1)];
  return (
    <figure className="bars">
      <svg
        role="img"
        aria-label={texts.chart(label, text(sum), days.length, text(most))}
        viewBox={`0 0 ${String(days.length * STEP)} ${String(HEIGHT)}`}
      >
        {days.map(({ begins, total }, at) => {
          const height = total === 0 || most === 0 ? 1 : Math.max(2, (total / most) * HEIGHT);
          return (
            <rect
              key={begins.getTime()}
              className={total === 0 ? 'none' : ''}
              x={at * STEP + (STEP - WIDTH) / 2}
              y={HEIGHT - height}
              width={WIDTH}
              height={height}
              rx="2"
            >
              <title>{`${dates.format(begins)}: ${text(total)}`}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption className="spread quiet">
        <span>{first && dates.format(first.begins)}</span>
        <span>{text(sum)}</span>
        <span>{last && dates.format(last.begins)}</span>
      </figcaption>
    </figure>
  );
}
