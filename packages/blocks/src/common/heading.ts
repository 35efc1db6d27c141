/** How the answers of interface blocks begin (reference engine, section 4). */
import type { JsonObject, ReadContext } from '@blockwork/core/block';

/** Everything runs in this process, so every action is local and nothing is read-only for being remote. */
export const heading = ({ block }: ReadContext): JsonObject => ({
  id: block.uuid,
  blockType: block.blockType,
  actionType: 'local',
  readonly: false,
});
