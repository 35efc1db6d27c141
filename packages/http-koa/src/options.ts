/** The error for options that cannot be used, thrown at construction. */
import { BlockworkError } from '@blockwork/core';

export const invalidOption = (option: string, reason: string): BlockworkError =>
  new BlockworkError('OPTION_INVALID', { facts: { option, reason } });
