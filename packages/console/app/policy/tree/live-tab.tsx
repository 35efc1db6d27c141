/** The block tree beside the details of the selected block. */
import { useMemo, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useLive } from '../../live/live-mark.js';
import { texts } from '../../texts.js';
import { BlockDetails } from './block-details.js';
import { BlockTree } from './block-tree.js';
import { LastUnit } from './last-unit.js';
import { blockNode, findNode } from './tree-model.js';

export function LiveTab({
  id,
  config,
  selected,
  isOwner,
}: {
  readonly id: string;
  readonly config: Readonly<Record<string, unknown>> | undefined;
  readonly selected: string | null;
  readonly isOwner: boolean;
}): ReactNode {
  const root = useMemo(() => blockNode(config ?? {}), [config]);
  const moved = useLive().moved.get(id);
  const [search, setSearch] = useState('');
  const [, navigate] = useLocation();
  const node = selected === null ? undefined : findNode(root, selected);
  const select = (uuid: string): void => {
    navigate(`/policies/${encodeURIComponent(id)}/live/${uuid}`, { replace: selected !== null });
  };
  return (
    <div className="split">
      <div className="stack">
        <input
          type="search"
          placeholder={texts.policy.search}
          aria-label={texts.policy.search}
          value={search}
          onChange={(event) => {
            setSearch(event.target.value);
          }}
        />
        <LastUnit last={moved?.last} />
        <BlockTree root={root} search={search} selected={selected} moved={moved} onSelect={select} />
      </div>
      <div className="card details" aria-live="polite">
        {node === undefined ? (
          <p className="quiet">{texts.policy.selectBlock}</p>
        ) : (
          <BlockDetails policyId={id} root={root} node={node} isOwner={isOwner} onSelect={select} />
        )}
      </div>
    </div>
  );
}
