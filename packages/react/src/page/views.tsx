/** What the views of blocks share: the policy, the view of each block type, and failures. */
import { type ComponentType, createContext, type ReactNode, Suspense, useContext, useMemo } from 'react';
import type { Slot } from '../slot.js';

/** What a view is given: read the block with `useBlock(usePolicyId(), { uuid: block.id })`. */
export interface BlockViewProps {
  readonly block: Slot;
}

export type BlockViews = Readonly<Record<string, ComponentType<BlockViewProps>>>;

interface Page {
  /** Of the policy. */
  readonly id: string;
  /** The view of each block type. */
  readonly views: BlockViews;
  /** The view of all other types. */
  readonly other: ComponentType<BlockViewProps>;
  /** In the place of a view that is still being loaded (`lazy` of React); default nothing. */
  readonly loading?: ReactNode;
}

const PageContext = createContext<Page | null>(null);

/**
 * Around `BlockView`s, for a page with views of your own only: `PolicyPage` is this with plain ones.
 *
 * @example
 * const { data: root } = useRoot('sunlight');
 * return (
 *   <PolicyViews id="sunlight" views={{ requestVcDocumentBlock: MyForm }} other={Nothing}>
 *     {root && <BlockView block={root} />}
 *   </PolicyViews>
 * );
 */
export function PolicyViews({
  id,
  views,
  other,
  loading,
  children,
}: Page & { readonly children?: ReactNode }): ReactNode {
  const page = useMemo(() => ({ id, views, other, loading }), [id, views, other, loading]);
  return <PageContext value={page}>{children}</PageContext>;
}

function usePage(): Page {
  const page = useContext(PageContext);
  if (page === null) throw new Error('There is no PolicyPage around this view: put one, or PolicyViews, around it.');
  return page;
}

/**
 * The policy of the `PolicyPage` or `PolicyViews` around the component. Throws an `Error` outside of one.
 *
 * @example
 * const Chart = ({ block }: BlockViewProps) => <MyChart data={useBlock(usePolicyId(), { uuid: block.id }).data} />;
 */
export const usePolicyId = (): string => usePage().id;

/**
 * One block, by the view of its type: for own views of blocks with children. Throws an `Error` outside of a `PolicyPage` or `PolicyViews`.
 *
 * @example
 * const Side = ({ block }: BlockViewProps) => <aside><BlockView block={block} /></aside>;
 */
export function BlockView({ block }: BlockViewProps): ReactNode {
  const { views, other, loading } = usePage();
  const View = (Object.hasOwn(views, block.blockType) ? views[block.blockType] : undefined) ?? other;
  return (
    <Suspense fallback={loading}>
      <View block={block} />
    </Suspense>
  );
}

export const Failure = ({ error }: { readonly error: Error | null }): ReactNode =>
  error === null ? null : (
    <p role="alert" className="blockwork-failure">
      {error.message}
    </p>
  );
