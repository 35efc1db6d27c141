/** The page of a policy for the active person, from the root block down. */
import { statusIs } from '@blockwork/client';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, lazy, type ReactNode, useMemo } from 'react';
import { ActAsContext, useClient } from '../api/server.js';
import { usePeople } from '../session/people.js';
import { texts } from '../texts.js';
import { act, useActingIn } from '../trial/acting.js';
import { Loaded } from '../ui/loaded.js';
import { BlockView, ViewsContext } from './block-view.js';
import { ActionBlock } from './blocks/action.js';
import { Container } from './blocks/container.js';
import { Information } from './blocks/information.js';
import { OfRows } from './blocks/of-rows.js';
import { Roles } from './blocks/roles.js';
import { type BlockProps, PolicyContext, type Slot } from './policy-context.js';

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
  const context = useMemo(() => ({ id, person, status, config }), [id, person, status, config]);
  const query = useQuery({
    queryKey: ['block', id, person, 'root'],
    queryFn: async ({ signal }) => client.policy(id).root<RootAnswer>({ signal }),
    enabled: hasPage(status),
  });
  if (!hasPage(status)) return <p className="quiet">{texts.page.notRunning}</p>;
  return (
    <PolicyContext value={context}>
      <ViewsContext value={views}>
        <Loaded query={query}>
          {(root) =>
            root.blocks?.every((slot) => slot === null) === true ? <NothingOpen /> : <BlockView block={root} />
          }
        </Loaded>
      </ViewsContext>
    </PolicyContext>
  );
}

const views: Readonly<Record<string, ComponentType<BlockProps>>> = {
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
