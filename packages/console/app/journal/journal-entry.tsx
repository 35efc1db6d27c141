/** One journal entry: a unit of work. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { texts } from '../texts.js';
import { dateText } from '../ui/format.js';
import type { JournalEntry } from './entry.js';

interface CardProps {
  readonly entry: JournalEntry;
  readonly policyId: string;
  /** UUIDs of the policy's blocks, by tag. */
  readonly blocks: ReadonlyMap<string, string>;
}

export function JournalEntryCard({ entry, policyId, blocks }: CardProps): ReactNode {
  const block = (tag: string): ReactNode => <BlockLink policyId={policyId} tag={tag} uuid={blocks.get(tag)} />;
  const { id, at, cause, events, documents, effects, warnings } = entry;
  const { added, changed, removed } = documents;
  const changes = texts.journal.documents(added.length, changed.length, removed.length);
  return (
    <li className={warnings.length === 0 ? 'card' : 'card warning'}>
      <p className="spread">
        <strong>
          {causeText(cause)} {'tag' in cause && typeof cause.tag === 'string' && block(cause.tag)}
        </strong>
        <span className="quiet">
          <time dateTime={at}>{dateText(at)}</time> · <code>{Number(id)}</code> ·{' '}
          <Link href={`/policies/${encodeURIComponent(policyId)}/way/${id}`}>{texts.journal.way}</Link>
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
                {block(source)} {output} → {block(target)} {input}
              </li>
            ))}
          </ol>
        </details>
      )}
    </li>
  );
}

/** Links to the block in the tree, if it still exists. */
const BlockLink = ({
  policyId,
  tag,
  uuid,
}: {
  readonly policyId: string;
  readonly tag: string;
  readonly uuid: string | undefined;
}): ReactNode =>
  uuid === undefined ? (
    <code>{tag}</code>
  ) : (
    <Link href={`/policies/${encodeURIComponent(policyId)}/live/${uuid}`}>{tag}</Link>
  );

function causeText(cause: JournalEntry['cause']): string {
  const { causes } = texts.journal;
  switch (cause.type) {
    case 'send':
      return causes.send(cause.did);
    case 'external':
      return causes.external(cause.did);
    case 'importer':
      return causes.importer;
    case 'tick':
      return causes.tick;
    case 'retry':
      return causes.retry(cause.attempt);
    case 'lifecycle':
      return causes.lifecycle(cause.action, cause.did);
    case 'retention':
      return causes.retention;
  }
}
