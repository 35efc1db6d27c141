/** The documents that a block's own sources supply, limited to those the user may see. */
import type { DocumentSource, ReadContext } from '@blockwork/core/block';

export async function ownSources(ctx: ReadContext): Promise<DocumentSource[]> {
  const sources: DocumentSource[] = [];
  for (const child of ctx.children) {
    if (child.kind !== 'source' || child.block.options === null) continue;
    if ((await child.availability()).outcome !== 'allowed') continue;
    sources.push(...((await child.select())?.sources ?? []));
  }
  return sources;
}
