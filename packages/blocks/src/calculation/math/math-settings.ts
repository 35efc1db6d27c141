/** Options of `mathBlock`: limits of its formulas and of its script. */
import type { OptionsOf } from '@blockwork/core/block';
import { formulaBlockOptions } from '../../formulas/index.js';
import { scriptBlockOptions } from '../../scripts/index.js';

export const mathBlockOptions = { ...formulaBlockOptions, ...scriptBlockOptions };

export type MathBlockOptions = OptionsOf<typeof mathBlockOptions>;
