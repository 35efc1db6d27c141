/** Schemas for options as real policies write them. */
import { tolerant } from '@blockwork/core/block';

export const { flag, listOf, text } = tolerant;
