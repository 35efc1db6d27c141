/** All blocks of the library, ready to be registered. */
import { checkOptions, optionTypes, type OptionShape } from '@blockwork/core/block';
import type { BlockType } from '@blockwork/core/block';
import { actionBlocks } from './actions/index.js';
import { calculationBlocks, type CalculationOptions } from './calculation/index.js';
import { documentBlocks } from './documents/index.js';
import { extractionBlocks } from './extraction/index.js';
import { flowBlocks } from './flow/index.js';
import { formBlocks } from './forms/index.js';
import { groupBlocks } from './groups/index.js';
import { integrationBlocks, type HttpRequestOptions, type IntegrationOptions } from './integrations/index.js';
import { notificationBlocks } from './notifications/index.js';
import { reportBlocks } from './reports/index.js';
import { revocationBlocks } from './revocation/index.js';
import { rowBlocks } from './rows/index.js';
import { streamBlocks } from './streams/index.js';
import { tagBlocks } from './tags/index.js';
import { ThreadPool, threadPoolType } from './threads/index.js';
import { timerBlocks } from './timers/index.js';
import { topicBlocks } from './topics/index.js';
import { transformationBlocks } from './transformations/index.js';
import { tokenBlocks } from './tokens/index.js';

export interface StandardBlocksOptions extends CalculationOptions {
  /** The addresses that `httpRequestBlock` may call; none by default. */
  readonly httpRequest?: HttpRequestOptions;
  /** Services that `integrationButtonBlock` may call; none by default. */
  readonly integrations?: IntegrationOptions;
}

/** `formulas`, `scripts`, `httpRequest` and `integrations` are checked further by the blocks that use them. */
const shape: OptionShape<StandardBlocksOptions> = {
  formulas: optionTypes.object,
  scripts: optionTypes.object,
  threads: threadPoolType,
  httpRequest: optionTypes.object,
  integrations: optionTypes.object,
};

/** `createEngine({ blocks: standardBlocks() })`. Throws `OPTION_INVALID`. */
export function standardBlocks(options: StandardBlocksOptions = {}): BlockType[] {
  checkOptions(options, shape, 'standard blocks: ');
  const { formulas = {}, scripts = {}, threads = new ThreadPool(), httpRequest = {}, integrations = {} } = options;
  return [
    ...formBlocks,
    ...documentBlocks,
    ...rowBlocks,
    ...revocationBlocks,
    ...actionBlocks,
    ...flowBlocks({ formulas, threads }),
    ...calculationBlocks({ formulas, scripts, threads }),
    ...extractionBlocks,
    ...transformationBlocks({ scripts, threads }),
    ...tokenBlocks({ formulas, threads }),
    ...groupBlocks,
    ...timerBlocks,
    ...topicBlocks,
    ...streamBlocks,
    ...tagBlocks,
    ...reportBlocks,
    ...notificationBlocks,
    ...integrationBlocks({ httpRequest, integrations }),
  ];
}
