/** What began a unit of work, in words. */
import { texts } from '../texts.js';
import type { JournalEntry } from './entry.js';

export function causeText(cause: JournalEntry['cause']): string {
  const { causes, actions, otherAction } = texts.journal;
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
      return causes.lifecycle(actions[cause.action] ?? otherAction(cause.action), cause.did);
    case 'witness':
      return causes.witness(cause.size);
    case 'retention':
      return causes.retention;
  }
}
