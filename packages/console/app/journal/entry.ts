/** A journal entry in the server's format. */
import type { PolicyClient } from '@blockwork/client';

export type JournalEntry = ReturnType<PolicyClient['journal']> extends AsyncGenerator<infer Entry> ? Entry : never;
