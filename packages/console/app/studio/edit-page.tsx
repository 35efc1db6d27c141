/** The page on which a draft is edited: palette, tree and properties side by side, and what is wrong with it below. */
import { canTransition, statusIs } from '@blockwork/client';
import { lazy, Suspense, useEffect, useMemo, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
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
import { type BlockType, operationsOf } from './draft/operations.js';
import { StatusBar } from './findings/status-bar.js';
import { useChecked } from './findings/use-checked.js';
import { Palette } from './palette/palette.js';
import { Properties } from './properties/properties.js';
import { TagList } from './properties/tag-list.js';
import { useShortcuts } from './shortcuts.js';
import { StudioContext, type Dragged, type Studio } from './studio-context.js';
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
        {(typesByName) => (
          <Loaded query={query}>
            {(revised) => (
              <Workbench
                {...{ id, status, draft, revised, selected }}
                types={typesByName}
                saved={findings.data ?? noFindings}
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
  /** The findings of the draft as it is saved. */
  readonly saved: readonly Finding[];
  /** UUID from the address. */
  readonly selected: string | null;
  readonly isReadOnly: boolean;
}

function Workbench({ id, status, draft, revised, types, saved, selected, isReadOnly }: WorkbenchProps): ReactNode {
  const { definition } = revised;
  const { findings, check } = useChecked(id, saved);
  const [, navigate] = useLocation();
  const [message, say] = useState('');
  const [search, setSearch] = useState('');
  const [isCode, setIsCode] = useState(false);
  const trial = useTrial(id);
  const isTrial = canTransition('draft', status);
  const paletteSearch = useRef<HTMLInputElement>(null);
  const dragged = useRef<Dragged | null>(null);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const box = useRef<HTMLDivElement>(null);
  const state = useSyncExternalStore(draft.subscribe, draft.current);
  const blocks = useMemo(() => blocksOf(definition.config), [definition]);
  const at = blocks.byId.get(selected ?? blocks.root) ?? blocks.byId.get(blocks.root);
  const select = (block: string): void => {
    setChosen(new Set());
    navigateTo(block);
  };
  const navigateTo = (block: string): void => {
    navigate(withSearch(`/policies/${encodeURIComponent(id)}/edit/${block}`), { replace: true });
  };
  const [awaited, setAwaited] = useState<string | null>(null);
  const added = awaited === null ? undefined : blocks.byTag.get(awaited);
  useEffect(() => {
    if (added === undefined) return;
    setAwaited(null);
    select(added.id);
  });
  const step = trialStepFrom(status);
  const tryIt = async (): Promise<void> => {
    if (step === null || trial.isPending) return;
    // What was just typed is tried as well.
    await draft.settled();
    trial.mutate(step);
  };
  useShortcuts(box, isReadOnly, {
    search: () => paletteSearch.current?.focus(),
    undo: () => void draft.undo(),
    redo: () => void draft.redo(),
    save: () => {
      say(studioTexts.announcements.alwaysSaved);
    },
    tryIt: () => void tryIt(),
  });
  if (at === undefined) return null;
  const studio: Studio = {
    ...{ policyId: id, definition, blocks, types, findings, draft, isReadOnly, say },
    ...{ selected: at, dragged },
    // Another address selects another block, alone.
    chosen: chosen.has(at.id) ? new Set([...chosen].filter((each) => blocks.byId.has(each))) : new Set([at.id]),
    choose: (ids, primary) => {
      setChosen(new Set(ids));
      if (primary !== at.id) navigateTo(primary);
    },
    select,
    selectAdded: setAwaited,
    edit: async (edits, revision) => draft.edit(edits, revision),
    check: (edits) => {
      check(operationsOf(edits, (block) => blocks.byId.get(block)?.source));
    },
  };
  return (
    <StudioContext value={studio}>
      <div ref={box} className={isReadOnly ? 'studio read-only' : 'studio'}>
        {!isReadOnly && <Palette search={paletteSearch} />}
        <div className="middle">
          <Toolbar
            {...{ state, search, isCode }}
            onSearch={setSearch}
            onCode={setIsCode}
            trial={
              step !== null && <TrialButton {...{ step }} isPending={trial.isPending} onClick={() => void tryIt()} />
            }
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
        <StatusBar state={state} message={message} />
        <TagList tags={blocks.tags} />
      </div>
    </StudioContext>
  );
}

interface TrialButtonProps {
  readonly step: TrialStep;
  readonly isPending: boolean;
  readonly onClick: () => void;
}

/** What the button does in this status, if anything. */
const trialStepFrom = (status: string): TrialStep | null =>
  canTransition('draft', status) ? 'end' : canTransition('dry-run', status) ? 'begin' : null;

function TrialButton({ step, isPending, onClick }: TrialButtonProps): ReactNode {
  return (
    <button type="button" className="primary" aria-keyshortcuts="Control+Enter" disabled={isPending} onClick={onClick}>
      {studioTexts.trial[step]}
    </button>
  );
}
