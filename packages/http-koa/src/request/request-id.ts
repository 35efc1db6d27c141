/** The id that an answer, its error body and the log share. */
import type { Ids } from '@blockwork/core';

/** What a client may choose: short, and harmless in a log and in a header. */
const SAFE = /^[\dA-Za-z-]{1,64}$/;

export const requestIdOf = (sent: string | string[] | undefined, ids: Ids): string =>
  typeof sent === 'string' && SAFE.test(sent) ? sent : ids.uuid();
