/** The page of any policy for the person who uses it, from the root block down. */
import { type ReactNode, useMemo } from 'react';
import { useBlock, useRoot } from '../hooks/use-block.js';
import { type Slot, titleOf } from '../slot.js';
import { ActionView, InformationView, RolesView } from './simple-views.js';
import { FormView } from './form-view.js';
import { GridView } from './grid-view.js';
import { BlockView, type BlockViewProps, type BlockViews, PolicyViews, usePolicyId } from './views.js';

interface PolicyPageProps {
  /** Of the policy. */
  readonly id: string;
  /** Own views of block types, in place of the plain ones or for those that have none. */
  readonly views?: BlockViews;
}

/**
 * Draws what is open to the person: containers and steps, choices of roles, forms, grids with their buttons, actions and texts, in plain
 * elements with class names that begin with `blockwork-`. Blocks without a view show their answer as JSON.
 *
 * @example
 * const Chart = ({ block }: BlockViewProps) => <MyChart data={useBlock(usePolicyId(), { uuid: block.id }).data} />;
 * return <PolicyPage id="sunlight" views={{ reportBlock: Chart }} />;
 */
export function PolicyPage({ id, views }: PolicyPageProps): ReactNode {
  const all = useMemo(() => ({ ...plainViews, ...views }), [views]);
  const { data: root, error } = useRoot(id);
  if (error !== null) return <p role="alert">{error.message}</p>;
  if (root === undefined) return loading;
  return (
    <PolicyViews id={id} views={all} other={AnyView} loading={loading}>
      <div className="blockwork-page">
        <BlockView block={root} />
      </div>
    </PolicyViews>
  );
}

const loading = <p role="status">Loading…</p>;

interface ContainerAnswer extends Slot {
  /** `null` for those that are not open. */
  readonly blocks: readonly (Slot | null)[];
  /** Of a step: the position of its current child. */
  readonly index?: number;
}

function ContainerView({ block }: BlockViewProps): ReactNode {
  const { data } = useBlock<ContainerAnswer>(usePolicyId(), { uuid: block.id });
  if (data === undefined) return null;
  const { blocks, index } = data;
  const open = (index === undefined ? blocks : [blocks[index] ?? null]).filter((slot) => slot !== null);
  if (open.length === 0) return <p className="blockwork-empty">Nothing is open to you here.</p>;
  return open.map((slot) => <BlockView key={slot.id} block={slot} />);
}

function AnyView({ block }: BlockViewProps): ReactNode {
  const { data } = useBlock<unknown>(usePolicyId(), { uuid: block.id });
  return (
    <section className="blockwork-block">
      <h2>{titleOf(block)}</h2>
      <pre>{JSON.stringify(data, null, 2)}</pre>
    </section>
  );
}

/** Shown in the rows of grids. */
const Nothing = (): ReactNode => null;

const plainViews: BlockViews = {
  interfaceContainerBlock: ContainerView,
  interfaceStepBlock: ContainerView,
  module: ContainerView,
  tool: ContainerView,
  informationBlock: InformationView,
  policyRolesBlock: RolesView,
  requestVcDocumentBlock: FormView,
  interfaceDocumentsSourceBlock: GridView,
  interfaceActionBlock: ActionView,
  buttonBlock: Nothing,
  integrationButtonBlock: Nothing,
  transformationButtonBlock: Nothing,
};
