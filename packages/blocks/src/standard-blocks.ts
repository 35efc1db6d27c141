/** All blocks of the library, ready to be registered. */
import type { BlockType } from '@blockwork/core/block';
import { actionBlocks } from './actions/index.js';
import { calculationBlocks, type CalculationOptions } from './calculation/index.js';
import { documentBlocks } from './documents/index.js';
import { flowBlocks } from './flow/index.js';
import { formBlocks } from './forms/index.js';
import { groupBlocks } from './groups/index.js';
import { integrationBlocks, type HttpRequestOptions } from './integrations/index.js';
import { reportBlocks } from './reports/index.js';
import { revocationBlocks } from './revocation/index.js';
import { timerBlocks } from './timers/index.js';
import { tokenBlocks } from './tokens/index.js';

export interface StandardBlocksOptions extends CalculationOptions {
  /** Where `httpRequestBlock` may send to; nowhere when absent. */
  readonly httpRequest?: HttpRequestOptions;
}

/** `createEngine({ blocks: standardBlocks() })`. Throws `OPTION_INVALID`. */
export const standardBlocks = (options: StandardBlocksOptions = {}): BlockType[] => [
  ...formBlocks,
  ...documentBlocks,
  ...revocationBlocks,
  ...actionBlocks,
  ...flowBlocks,
  ...calculationBlocks(options),
  ...tokenBlocks,
  ...groupBlocks,
  ...timerBlocks,
  ...reportBlocks,
  ...integrationBlocks(options),
];
