/** The leading members of every interface block's answer (reference engine, section 4). */
import type { ReadContext } from '../block-api/index.js';
import type { JsonObject } from '../records/index.js';

/** `{id, blockType, actionType, readonly}`. Every block runs in this process, so every action is local. */
export const heading = ({ block }: ReadContext): JsonObject => ({
  id: block.uuid,
  blockType: block.blockType,
  actionType: 'local',
  readonly: false,
});
