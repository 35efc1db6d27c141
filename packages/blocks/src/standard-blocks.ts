/** All blocks of the library, ready to be registered. */
import { checkOptions, optionTypes, type OptionsOf } from '@blockwork/core/block';
import type { BlockType } from '@blockwork/core/block';
import { actionBlocks } from './actions/index.js';
import { calculationBlocks, mathBlockOptions } from './calculation/index.js';
import { optionTexts } from './definition/option-texts.js';
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
import { ThreadPool } from './threads/index.js';
import { timerBlocks } from './timers/index.js';
import { topicBlocks } from './topics/index.js';
import { transformationBlocks } from './transformations/index.js';
import { tokenBlocks } from './tokens/index.js';

/** `formulas`, `scripts`, `httpRequest` and `integrations` are checked further by the blocks that use them. */
const shape = {
  ...mathBlockOptions,
  /** The addresses that `httpRequestBlock` may call; none by default. */
  httpRequest: optionTypes.as<HttpRequestOptions>(optionTypes.object),
  /** Services that `integrationButtonBlock` may call; none by default. */
  integrations: optionTypes.as<IntegrationOptions>(optionTypes.object),
};

export type StandardBlocksOptions = OptionsOf<typeof shape>;

/** `createEngine({ blocks: standardBlocks() })`. Throws `OPTION_INVALID`. */
export function standardBlocks(options: StandardBlocksOptions = {}): BlockType[] {
  checkOptions(options, shape, 'standard blocks: ');
  const { formulas = {}, scripts = {}, threads = new ThreadPool(), httpRequest = {}, integrations = {} } = options;
  const types: BlockType[] = [
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
  return types.map((type) => ({ optionTexts: optionTexts[type.type] ?? {}, ...type }));
}
