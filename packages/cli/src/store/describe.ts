/** Reports of the store tools as text. */
import type { Damage, TruncatedEnd, Verification } from '@blockwork/store-lowdb';

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

export const describe = ({ format, records, tables, commits, inJournal }: Verification): string =>
  `format ${format}, ${plural(records, 'record')} in ${plural(tables, 'table')}, ` +
  `${plural(commits, 'commit')} so far, ${inJournal} of them only in the journal`;

export const describeDamage = (damage: readonly Damage[]): string =>
  damage
    .map(({ file, reason, table, records }) => {
      const of = table === undefined ? '' : ` (${describeTable(table)})`;
      const lost = records === undefined || records.length === 0 ? '' : `    lost records: ${records.join(', ')}\n`;
      return `  ${file}: ${reason}${of}\n${lost}`;
    })
    .join('');

const TIMERS = 'timer/';

const describeTable = ({ partition, kind }: NonNullable<Damage['table']>): string =>
  kind.startsWith(TIMERS) ? `timers of policy "${kind.slice(TIMERS.length)}"` : `kind "${kind}" of "${partition}"`;

/** The consequences for lost timers, if any. */
export const describeTimers = (damage: readonly Damage[]): string =>
  damage.some(({ table }) => table === undefined || /^timer(?:\/|$)/.test(table.kind))
    ? 'At the next start, scheduled blocks and discontinuation dates get their timers back; retries of events are lost.\n'
    : '';

export const describeTruncation = ({ file, bytes, lastCommit, isConfirmed }: TruncatedEnd): string =>
  `  ${file} ends with ${plural(bytes, 'unreadable byte')} after commit ${lastCommit}, which will be ` +
  `quarantined when the store is opened. ${isConfirmed ? 'No later commit was recorded as durable.' : 'Whether they were acknowledged is unknown.'}\n`;
