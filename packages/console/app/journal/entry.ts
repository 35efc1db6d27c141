/** An entry of a journal, as the server gives it. */
import type { PolicyClient } from '@blockwork/client';

export type JournalEntry = ReturnType<PolicyClient['journal']> extends AsyncGenerator<infer Entry> ? Entry : never;
