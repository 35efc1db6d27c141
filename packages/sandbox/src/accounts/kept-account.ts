/** An account as a restart finds it. */
import { z } from 'zod';
import { accountRoles } from './account.js';

const text = z.string();

export const keptAccount = z.object({
  ...{ id: text, username: text, role: z.enum(accountRoles), did: text.nullable(), parent: text.nullable() },
  ...{ hederaAccountId: text.nullable(), topicId: text.nullable(), createDate: text, updateDate: text },
  /** `null` for a configured account. */
  password: z.object({ salt: text, hash: text }).nullable(),
  /** Whether it was configured, so that nobody can use it once it is not. */
  isGiven: z.boolean(),
});
export type KeptAccount = z.infer<typeof keptAccount>;
