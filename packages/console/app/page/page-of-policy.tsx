/** The page of a policy for the active person, from the root block down. */
import { statusIs } from '@blockwork/client';
import { BlockView, type BlockViews, BlockworkProvider, PolicyViews, type Slot, useRoot } from '@blockwork/react';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, useMemo } from 'react';
import { ActAsContext, useClient } from '../api/server.js';
import { usePeople } from '../session/people.js';
import { texts } from '../texts.js';
import { act, useActingIn } from '../trial/acting.js';
import { Loaded } from '../ui/loaded.js';
import { Loading } from '../ui/loading.js';
import { AnyBlock } from './any-block.js';
import { ActionBlock } from './blocks/action.js';
import { Container } from './blocks/container.js';
import { Information } from './blocks/information.js';
import { OfRows } from './blocks/of-rows.js';
import { Roles } from './blocks/roles.js';
import { PolicyContext } from './policy-context.js';

/** Of a view, the page is where the policy is hosted. */
const hasPage = (status: string): boolean => statusIs(status, 'running') || statusIs(status, 'published');

interface RootAnswer extends Slot {
  /** Of a container: its children, `null` for those that are not open. */
  readonly blocks?: readonly (Slot | null)[];
}

const NothingOpen = (): ReactNode => (
  <div className="card empty">
    <p>{texts.page.empty}</p>
    <p className="quiet">{texts.page.emptyHint}</p>
  </div>
);

interface PageProps {
  readonly id: string;
  readonly status: string;
  /** Absent where the policy has no blocks. */
  readonly config: Readonly<Record<string, unknown>> | undefined;
}

const noBlocks = {};

/** As seen by the active person or, in a trial, by the user whom the owner acts as. */
export function PageOfPolicy({ id, status, config }: PageProps): ReactNode {
  const owner = usePeople().active?.did ?? '';
  const as = useActingIn(id, status);
  return (
    <ActAsContext value={as?.did}>
      {as !== null && (
        <div className="card acting spread">
          <span>{texts.trial.actingAs(as.name)}</span>
          <button
            type="button"
            onClick={() => {
              act(null);
            }}
          >
            {texts.trial.beYourself}
          </button>
        </div>
      )}
      <PageAs key={as?.did ?? owner} id={id} status={status} config={config} person={as?.did ?? owner} />
    </ActAsContext>
  );
}

function PageAs({ id, status, config = noBlocks, person }: PageProps & { readonly person: string }): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const context = useMemo(() => ({ person, status, config }), [person, status, config]);
  if (!hasPage(status)) return <p className="quiet">{texts.page.notRunning}</p>;
  // The console follows the events itself, for all of its screens.
  return (
    <BlockworkProvider client={client} person={person} queries={queries} live={false}>
      <PolicyContext value={context}>
        <PolicyViews id={id} views={views} other={AnyBlock} loading={loading}>
          <Root id={id} />
        </PolicyViews>
      </PolicyContext>
    </BlockworkProvider>
  );
}

const loading = <Loading />;

const Root = ({ id }: { readonly id: string }): ReactNode => (
  <Loaded query={useRoot<RootAnswer>(id)}>
    {(root) => (root.blocks?.every((slot) => slot === null) === true ? <NothingOpen /> : <BlockView block={root} />)}
  </Loaded>
);

const views: BlockViews = {
  interfaceContainerBlock: Container,
  interfaceStepBlock: Container,
  module: Container,
  tool: Container,
  informationBlock: Information,
  policyRolesBlock: Roles,
  interfaceDocumentsSourceBlock: lazy(async () => import('./grid/grid.js')),
  requestVcDocumentBlock: lazy(async () => import('./form/form.js')),
  interfaceActionBlock: ActionBlock,
  groupManagerBlock: lazy(async () => import('./blocks/groups.js')),
  tokenConfirmationBlock: lazy(async () => import('./blocks/token-confirmation.js')),
  createTokenBlock: lazy(async () => import('./blocks/create-token.js')),
  uploadVcDocumentBlock: lazy(async () => import('./blocks/upload.js')),
  externalTopicBlock: lazy(async () => import('./blocks/external-topic.js')),
  reportBlock: lazy(async () => import('./blocks/report.js')),
  messagesReportBlock: lazy(async () => import('./blocks/messages-report.js')),
  buttonBlock: OfRows,
  integrationButtonBlock: OfRows,
  transformationButtonBlock: OfRows,
};
