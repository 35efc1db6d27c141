/** Converts failures of NATS into errors of the engine. */
import { BlockworkError } from '@blockwork/core';

export function unavailable(error: unknown): BlockworkError {
  if (error instanceof BlockworkError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new BlockworkError('LINK_UNAVAILABLE', { facts: { reason }, cause: error });
}

export const reasonOf = ({ facts, message }: BlockworkError): string => String(facts.reason ?? message);
