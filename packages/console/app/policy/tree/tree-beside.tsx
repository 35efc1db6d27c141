/** The blocks beside a page in use, with the path of the user's last action highlighted. */
import { type ReactNode, useMemo } from 'react';
import { Link, useLocation } from 'wouter';
import { useLive } from '../../live/live-mark.js';
import type { LastUnit as Unit } from '../../live/live-store.js';
import { withSearch } from '../../shell/hash-location.js';
import { texts } from '../../texts.js';
import { dateText, timeText } from '../../ui/format.js';
import { BlockDetails } from './block-details.js';
import { useLastPath } from './block-queries.js';
import { BlockTree } from './block-tree.js';
import { blockNode, type BlockNode, findNode, uuidsByTag } from './tree-model.js';
import { useFacts } from './use-facts.js';
import { tagsOf, type UnitPath } from './unit-path.js';

interface BesideProps {
  readonly id: string;
  readonly config: Readonly<Record<string, unknown>> | undefined;
  /** UUID of a block. */
  readonly selected: string | null;
  readonly isOwner: boolean;
  /** The user of the page beside the tree. */
  readonly person: { readonly did: string; readonly name: string };
}

export default function TreeBeside({ id, config, selected, isOwner, person }: BesideProps): ReactNode {
  const root = useMemo(() => blockNode(config ?? {}), [config]);
  const last = useLive().activity.get(id)?.last;
  const lastRun = useLastPath(id, person.did, isOwner);
  // Only the owner can read the journal. Other users learn which blocks a unit touched, but not their order.
  const touched = useMemo(() => new Map(last?.tags.map((tag): [string, readonly number[]] => [tag, []])), [last]);
  const { facts } = useFacts({
    policyId: id,
    root,
    isOwner,
    colouring: 'none',
    steps: isOwner ? lastRun?.steps : touched,
  });
  const [, navigate] = useLocation();
  const path = (to: string): string => `/policies/${encodeURIComponent(id)}/${to}`;
  const select = (uuid: string): void => {
    navigate(withSearch(path(`page/beside/${uuid}`)), { replace: selected !== null });
  };
  const node = selected === null ? undefined : findNode(root, selected);
  return (
    <section className="stack" aria-label={texts.policy.beside.title}>
      {isOwner ? <Steps run={lastRun} name={person.name} root={root} onSelect={select} /> : <LastUnit last={last} />}
      <BlockTree root={root} search="" selected={selected} facts={facts} onSelect={select} />
      <div className="card details in-order" aria-live="polite">
        {node === undefined ? (
          <p className="quiet">{texts.policy.selectBlock}</p>
        ) : (
          <>
            <Link href={path(`live/${node.uuid}`)}>{texts.policy.beside.alone}</Link>
            <BlockDetails policyId={id} root={root} node={node} isOwner={isOwner} facts={facts} onSelect={select} />
          </>
        )}
      </div>
    </section>
  );
}

interface StepsProps {
  readonly run: UnitPath | undefined;
  readonly name: string;
  readonly root: BlockNode;
  readonly onSelect: (uuid: string) => void;
}

/** The path as text, because its blocks may be out of view in a large tree. */
function Steps({ run, name, root, onSelect }: StepsProps): ReactNode {
  const uuids = useMemo(() => uuidsByTag(root), [root]);
  return (
    <div className="last-unit of-person" role="status">
      {run === undefined ? (
        <p className="quiet">{texts.policy.beside.nothing(name)}</p>
      ) : (
        <>
          <p>{texts.policy.beside.way(name, Number(run.entry.id), dateText(run.entry.at))}</p>
          <ol className="steps">
            {tagsOf(run).map((tag, at) => (
              <li key={at}>
                <button
                  type="button"
                  className="link"
                  onClick={() => {
                    onSelect(uuids.get(tag) ?? root.uuid);
                  }}
                >
                  {tag}
                </button>
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  );
}

export const LastUnit = ({ last }: { readonly last: Unit | undefined }): ReactNode => (
  <p className="quiet last-unit two-lines" role="status">
    {last === undefined
      ? texts.live.quiet
      : texts.live.lastUnit(last.revision, texts.live.causes[last.cause] ?? last.cause, timeText(last.at), last.tags)}
  </p>
);
