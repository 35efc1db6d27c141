/** One block: its permissions, options, and incoming and outgoing events. */
import type { ReactNode } from 'react';
import { texts } from '../../texts.js';
import { WhyBlock } from '../../why/why-block.js';
import { WhyDocument } from '../../why/why-document.js';
import { JsonView } from '../../ui/json-view.js';
import { Loading } from '../../ui/loading.js';
import { findingsByBlock, useFindings } from '../use-findings.js';
import { BlockActivity } from './block-activity.js';
import type { BlockFacts } from './block-marks.js';
import { linksAt, uuidsByTag, type BlockNode, type Link } from './tree-model.js';
import { pendingWorkTexts } from './pending-work.js';

interface DetailsProps {
  readonly policyId: string;
  readonly root: BlockNode;
  readonly node: BlockNode;
  readonly isOwner: boolean;
  readonly facts: BlockFacts;
  readonly onSelect: (uuid: string) => void;
}

export function BlockDetails({ policyId, root, node, isOwner, facts, onSelect }: DetailsProps): ReactNode {
  const { tag, type, uuid, permissions, options, children, isEnabled } = node;
  const { incoming, outgoing } = linksAt(root, tag);
  const waits = pendingWorkTexts(facts.work?.get(uuid) ?? {});
  const uuids = uuidsByTag(root);
  return (
    <>
      <h2>{tag === '' ? texts.policy.untagged : tag}</h2>
      <p className="quiet">
        {type} {isEnabled ? '' : `· ${texts.policy.disabled}`}
      </p>
      <dl>
        <dt>{texts.policy.permissions}</dt>
        <dd>{permissions.length === 0 ? texts.policy.nobody : permissions.join(', ')}</dd>
        <dt>{texts.policy.uuid}</dt>
        <dd>
          <code>{uuid}</code>
        </dd>
        {isOwner && (
          <>
            <dt>{texts.policy.waitsHere}</dt>
            {/* Always rendered, so that the content below does not move when the counts arrive. */}
            <dd>{waits.map(({ text }) => text).join(' · ') || '–'}</dd>
          </>
        )}
      </dl>
      <FindingsHere policyId={policyId} uuid={uuid} />
      <WhyBlock key={uuid} policyId={policyId} uuid={uuid} isOwner={isOwner} />
      {children.some((child) => child.type === 'documentsSourceAddon') && (
        <WhyDocument key={`document of ${uuid}`} policyId={policyId} uuid={uuid} />
      )}
      <LinkList
        title={texts.policy.incoming}
        links={incoming}
        other={({ source }) => source}
        say={({ output, input }) => `${output} → ${input}`}
        uuids={uuids}
        onSelect={onSelect}
      />
      <LinkList
        title={texts.policy.outgoing}
        links={outgoing}
        other={({ target }) => target}
        say={({ output, input }) => `${output} → ${input}`}
        uuids={uuids}
        onSelect={onSelect}
      />
      <BlockActivity key={`activity of ${uuid}`} policyId={policyId} node={node} isOwner={isOwner} />
      {children.length > 0 && (
        <>
          <h3>{texts.policy.children}</h3>
          <ul className="plain">
            {children.map((child) => (
              <li key={child.uuid}>
                <button
                  type="button"
                  className="link"
                  onClick={() => {
                    onSelect(child.uuid);
                  }}
                >
                  {child.tag === '' ? child.type : child.tag}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      <h3>{texts.policy.options}</h3>
      <JsonView value={options} />
    </>
  );
}

function FindingsHere({ policyId, uuid }: { readonly policyId: string; readonly uuid: string }): ReactNode {
  const query = useFindings(policyId);
  if (query.isPending) return <Loading />;
  return (findingsByBlock(query.data).get(uuid) ?? []).map(({ severity, code, message }, at) => (
    <p key={at}>
      <span className={`mark ${severity}`}>{severity}</span> {message} <code>{code}</code>
    </p>
  ));
}

interface LinkListProps {
  readonly title: string;
  readonly links: readonly Link[];
  /** Tag of the block at the other end. */
  readonly other: (link: Link) => string;
  readonly say: (link: Link) => string;
  /** By tag. */
  readonly uuids: ReadonlyMap<string, string>;
  readonly onSelect: (uuid: string) => void;
}

function LinkList({ title, links, other, say, uuids, onSelect }: LinkListProps): ReactNode {
  if (links.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul className="plain">
        {links.map((link, at) => {
          const uuid = uuids.get(other(link));
          return (
            <li key={at} className={link.isDisabled ? 'quiet' : ''}>
              {uuid === undefined ? (
                other(link)
              ) : (
                <button
                  type="button"
                  className="link"
                  onClick={() => {
                    onSelect(uuid);
                  }}
                >
                  {other(link)}
                </button>
              )}{' '}
              <span className="quiet">{say(link)}</span>
            </li>
          );
        })}
      </ul>
    </>
  );
}
