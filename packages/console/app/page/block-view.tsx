/** A block as its user sees it: the view of its type, or the raw response. */
import { createContext, Suspense, useContext, type ComponentType, type ReactNode } from 'react';
import { texts } from '../texts.js';
import { JsonView } from '../ui/json-view.js';
import { Loaded } from '../ui/loaded.js';
import { Loading } from '../ui/loading.js';
import { useBlock, type BlockProps } from './policy-context.js';

/** The views by block type. A context avoids circular imports, since containers render other blocks. */
export const ViewsContext = createContext<Readonly<Record<string, ComponentType<BlockProps>>>>({});

export function BlockView({ block }: BlockProps): ReactNode {
  const views = useContext(ViewsContext);
  const View = Object.hasOwn(views, block.blockType) ? views[block.blockType] : undefined;
  return (
    <Suspense fallback={<Loading />}>
      {View === undefined ? <AnyBlock block={block} /> : <View block={block} />}
    </Suspense>
  );
}

function AnyBlock({ block }: BlockProps): ReactNode {
  const query = useBlock(block.id);
  return (
    <section className="card">
      <p className="quiet">{texts.page.unsupported(block.blockType)}</p>
      <Loaded query={query}>{(answer) => <JsonView value={answer} />}</Loaded>
    </section>
  );
}
