/** A text in which people have their names, as far as this page knows them; the DID is the title. */
import { useMemo, type ReactNode } from 'react';
import { namedParts } from './named-parts.js';
import { usePeople } from './people.js';

export function WithNames({ text }: { readonly text: string }): ReactNode {
  const { all } = usePeople();
  const parts = useMemo(() => namedParts(text, all), [text, all]);
  return parts.map((part, at) =>
    typeof part === 'string' ? (
      part
    ) : (
      <span key={at} title={part.did}>
        {part.name}
      </span>
    ),
  );
}
