/** The page on which a draft is edited: palette, tree and properties side by side, and what is wrong with it below. */
import { canTransition, statusIs } from '@blockwork/client';
import type { UseMutationResult } from '@tanstack/react-query';
import {
  lazy,
  Suspense,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { useLocation } from 'wouter';
import type { TabProps } from '../policy/tab.js';
import type { Finding } from '../policy/finding.js';
import { useFindings } from '../policy/use-findings.js';
import { withSearch } from '../shell/hash-location.js';
import { Failure } from '../ui/failure.js';
import { Loaded } from '../ui/loaded.js';
import { Loading } from '../ui/loading.js';
import { NextVersionButton } from '../versions/next-version-button.js';
import { ConflictNotice } from './draft/conflict-notice.js';
import { blocksOf } from './draft/blocks.js';
import type { Draft } from './draft/draft.js';
import { useBlockTypes, useDraft, type RevisedDefinition } from './draft/use-draft.js';
import type { BlockType } from './draft/operations.js';
import { StatusBar } from './findings/status-bar.js';
import { Palette } from './palette/palette.js';
import { Properties } from './properties/properties.js';
import { StudioContext, type Studio } from './studio-context.js';
import { studioTexts } from './texts.js';
import { NodeTree } from './tree/node-tree.js';
import { Toolbar } from './tree/toolbar.js';
import { TryPanel } from './trial/try-panel.js';
import { useTrial, type TrialStep } from './trial/use-trial.js';
import { useIsNarrow } from './use-is-narrow.js';
import './studio.css';

export default function EditPage(props: TabProps): ReactNode {
  return props.isOwner ? <OfOwner {...props} /> : <p className="card warning">{studioTexts.ownerOnly}</p>;
}

const CodeView = lazy(async () => import('./code/code-view.js'));

function OfOwner({ id, status, selected }: TabProps): ReactNode {
  const isDraft = canTransition('replace', status);
  const isNarrow = useIsNarrow();
  const { query, draft } = useDraft(id, isDraft);
  const types = useBlockTypes();
  const findings = useFindings(id);
  return (
    <>
      {isDraft && isNarrow && <p className="card warning">{studioTexts.narrow}</p>}
      {!isDraft && <NotDraft id={id} status={status} />}
      <Loaded query={types}>
        {(known) => (
          <Loaded query={query}>
            {(revised) => (
              <Workbench
                {...{ id, status, draft, revised, selected }}
                types={known}
                findings={findings.data ?? noFindings}
                isReadOnly={isNarrow || !isDraft}
              />
            )}
          </Loaded>
        )}
      </Loaded>
    </>
  );
}

const noFindings: readonly Finding[] = [];

function NotDraft({ id, status }: { readonly id: string; readonly status: string }): ReactNode {
  const { running, published, other } = studioTexts.notDraft;
  const isPublished = statusIs(status, 'published');
  return (
    <div className="card warning spread">
      <p>{isPublished ? published : statusIs(status, 'running') ? running : other}</p>
      {isPublished && <NextVersionButton id={id} label={studioTexts.nextVersion} tab="edit" />}
    </div>
  );
}

interface WorkbenchProps {
  readonly id: string;
  readonly status: string;
  readonly draft: Draft;
  readonly revised: RevisedDefinition;
  readonly types: ReadonlyMap<string, BlockType>;
  readonly findings: readonly Finding[];
  /** UUID from the address. */
  readonly selected: string | null;
  readonly isReadOnly: boolean;
}

function Workbench({ id, status, draft, revised, types, findings, selected, isReadOnly }: WorkbenchProps): ReactNode {
  const { definition } = revised;
  const [, navigate] = useLocation();
  const [said, say] = useState('');
  const [search, setSearch] = useState('');
  const [isCode, setIsCode] = useState(false);
  const trial = useTrial(id);
  const isTrial = canTransition('draft', status);
  const paletteSearch = useRef<HTMLInputElement>(null);
  const state = useSyncExternalStore(draft.subscribe, draft.current);
  const blocks = useMemo(() => blocksOf(definition.config), [definition]);
  const at = blocks.byId.get(selected ?? blocks.root) ?? blocks.byId.get(blocks.root);
  const select = (block: string): void => {
    navigate(withSearch(`/policies/${encodeURIComponent(id)}/edit/${block}`), { replace: true });
  };
  const [awaited, setAwaited] = useState<string | null>(null);
  const added = awaited === null ? undefined : blocks.byTag.get(awaited);
  useEffect(() => {
    if (added === undefined) return;
    setAwaited(null);
    select(added.id);
  });
  if (at === undefined) return null;
  const studio: Studio = {
    ...{ policyId: id, definition, blocks, types, findings, draft, isReadOnly, say },
    selected: at,
    select,
    selectAdded: setAwaited,
    edit: async (operations, seen) => draft.edit(operations, seen),
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const act = shortcut(event, draft, say, () => paletteSearch.current?.focus());
    if (isReadOnly || act === undefined) return;
    event.preventDefault();
    act();
  };
  return (
    <StudioContext value={studio}>
      <div className={isReadOnly ? 'studio read-only' : 'studio'} onKeyDown={onKeyDown}>
        {!isReadOnly && <Palette search={paletteSearch} />}
        <div className="middle">
          <Toolbar
            {...{ state, search, isCode }}
            onSearch={setSearch}
            onCode={setIsCode}
            trial={<TrialButton {...{ trial, status }} />}
          />
          {trial.error !== null && <Failure error={trial.error} />}
          {state.conflict !== null && <ConflictNotice conflict={state.conflict} />}
          {state.failure !== null && <Failure error={state.failure} />}
          {isCode ? (
            <Suspense fallback={<Loading isPadded />}>
              <CodeView />
            </Suspense>
          ) : (
            <NodeTree search={search} />
          )}
        </div>
        {isTrial ? <TryPanel status={status} /> : <Properties />}
        <StatusBar state={state} said={said} />
      </div>
    </StudioContext>
  );
}

interface TrialButtonProps {
  readonly trial: UseMutationResult<void, Error, TrialStep>;
  readonly status: string;
}

function TrialButton({ trial, status }: TrialButtonProps): ReactNode {
  const step = canTransition('draft', status) ? 'end' : 'begin';
  if (step === 'begin' && !canTransition('dry-run', status)) return null;
  return (
    <button
      type="button"
      className="primary"
      disabled={trial.isPending}
      onClick={() => {
        trial.mutate(step);
      }}
    >
      {studioTexts.trial[step]}
    </button>
  );
}

/** What a key does anywhere in the studio; in a field, the keys of the field come first. */
function shortcut(
  { key, ctrlKey, metaKey, shiftKey, target }: KeyboardEvent,
  draft: Draft,
  say: (text: string) => void,
  search: () => void,
): (() => void) | undefined {
  const isField = target instanceof HTMLElement && target.matches('input, textarea, select');
  if (ctrlKey || metaKey) {
    if (key.toLowerCase() === 's')
      return () => {
        say(studioTexts.said.alwaysSaved);
      };
    if (isField) return undefined;
    if (key.toLowerCase() === 'z') return () => void (shiftKey ? draft.redo() : draft.undo());
    return key.toLowerCase() === 'y' ? () => void draft.redo() : undefined;
  }
  return key === '/' && !isField ? search : undefined;
}
