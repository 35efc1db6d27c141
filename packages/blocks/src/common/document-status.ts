/** Document statuses as written in ledger messages. */
import type { DocumentRecord } from '@blockwork/core/block';

export const statedStatus = ({ option }: DocumentRecord): string => JSON.stringify(option.status ?? null).slice(0, 100);
