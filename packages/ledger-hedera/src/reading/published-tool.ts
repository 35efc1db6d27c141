/** Whether a tool is on the ledger under the message by which policies name it. */
import type { ToolReference } from '@blockwork/core';
import { z } from 'zod';
import type { History } from '../network/history.js';
import { timestamp } from '../network/mirror-rest.js';
import { jsonIn } from './json-in.js';

const publication = z.object({ type: z.literal('Tool'), action: z.literal('publish-tool'), hash: z.string() });

/** A message in pieces is none: the reference does not join them. Rejects if the mirror cannot be asked. */
export async function isToolPublished(
  { messageId, hash }: ToolReference,
  history: Pick<History, 'message'>,
): Promise<boolean> {
  if (!timestamp.safeParse(messageId).success) return false;
  const message = await history.message(messageId);
  return message !== undefined && publication.safeParse(jsonIn(message.content)).data?.hash === hash;
}
