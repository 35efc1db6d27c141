/** All blocks of the library, ready to be registered. */
import { checkOptions, optionTypes, type OptionShape } from '@blockwork/core/adapter';
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

/** `scripts` and `httpRequest` are checked further by the blocks that use them. */
const shape: OptionShape<StandardBlocksOptions> = { scripts: optionTypes.object, httpRequest: optionTypes.object };

/** `createEngine({ blocks: standardBlocks() })`. Throws `OPTION_INVALID`. */
export function standardBlocks(options: StandardBlocksOptions = {}): BlockType[] {
  checkOptions(options, shape, 'standard blocks: ');
  return [
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
}
