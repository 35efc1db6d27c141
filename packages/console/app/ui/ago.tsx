/** How long ago something happened; the exact moment is its title. */
import { useEffect, useState, type ReactNode } from 'react';
import { agoText, dateText } from './format.js';

/** Milliseconds after which the words are chosen again. */
const REFRESH_MS = 30_000;

export function Ago({ at }: { readonly at: string }): ReactNode {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => {
      setNow(Date.now());
    }, REFRESH_MS);
    return () => {
      clearInterval(timer);
    };
  }, [at]);
  return (
    <time dateTime={at} title={dateText(at)}>
      {agoText(at, now)}
    </time>
  );
}
