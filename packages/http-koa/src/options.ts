/** Checks of options, at construction. */
import { BlockworkError } from '@blockwork/core';

export const invalidOption = (option: string, reason: string, cause?: unknown): BlockworkError =>
  new BlockworkError('OPTION_INVALID', { facts: { option, reason }, cause });
