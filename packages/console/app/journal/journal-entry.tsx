/** One unit of work. */
import type { ReactNode } from 'react';
import type { PolicyClient } from '@blockwork/client';
import { texts } from '../texts.js';
import { dateText } from '../ui/format.js';

export type JournalEntry = ReturnType<PolicyClient['journal']> extends AsyncGenerator<infer Entry> ? Entry : never;

export function JournalEntryCard({ entry }: { readonly entry: JournalEntry }): ReactNode {
  const { id, at, cause, events, documents, effects, warnings } = entry;
  const { added, changed, removed } = documents;
  const changes = texts.journal.documents(added.length, changed.length, removed.length);
  return (
    <li className={warnings.length === 0 ? 'card' : 'card warning'}>
      <p className="spread">
        <strong>{causeText(cause)}</strong>
        <span className="quiet">
          <time dateTime={at}>{dateText(at)}</time> · <code>{Number(id)}</code>
        </span>
      </p>
      <p className="quiet">
        {[
          ...(changes === '' ? [] : [changes]),
          ...(effects.length === 0 ? [] : [texts.journal.effects(effects.length)]),
        ].join(' · ')}
      </p>
      {warnings.map(({ tag, code, message }, index) => (
        <p key={index} className="problem">
          {tag}: {message} <code>{code}</code>
        </p>
      ))}
      {events.length > 0 && (
        <details>
          <summary>{texts.journal.events(events.length)}</summary>
          <ol>
            {events.map(({ source, output, target, input }, index) => (
              <li key={index}>
                <code>{source}</code> {output} → <code>{target}</code> {input}
              </li>
            ))}
          </ol>
        </details>
      )}
    </li>
  );
}

function causeText(cause: JournalEntry['cause']): string {
  const { causes } = texts.journal;
  switch (cause.type) {
    case 'send':
      return causes.send(cause.tag, cause.did);
    case 'external':
      return causes.external(cause.tag, cause.did);
    case 'importer':
      return causes.importer;
    case 'tick':
      return causes.tick(cause.tag);
    case 'retry':
      return causes.retry(cause.tag, cause.attempt);
    case 'lifecycle':
      return causes.lifecycle(cause.action, cause.did);
    case 'retention':
      return causes.retention;
  }
}
