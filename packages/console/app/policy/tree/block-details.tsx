/** One block: who it is open to, its options, and the events that come to it and leave it. */
import type { ReactNode } from 'react';
import { texts } from '../../texts.js';
import { WhyBlock } from '../../why/why-block.js';
import { WhyDocument } from '../../why/why-document.js';
import { JsonView } from '../../ui/json-view.js';
import { linksAt, type BlockNode, type Link } from './tree-model.js';

interface DetailsProps {
  readonly policyId: string;
  readonly root: BlockNode;
  readonly node: BlockNode;
  readonly isOwner: boolean;
  readonly onSelect: (uuid: string) => void;
}

export function BlockDetails({ policyId, root, node, isOwner, onSelect }: DetailsProps): ReactNode {
  const { tag, type, uuid, permissions, options, children, isEnabled } = node;
  const { incoming, outgoing } = linksAt(root, tag);
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
      </dl>
      <WhyBlock key={uuid} policyId={policyId} uuid={uuid} isOwner={isOwner} />
      {children.some((child) => child.type === 'documentsSourceAddon') && (
        <WhyDocument key={`document of ${uuid}`} policyId={policyId} uuid={uuid} />
      )}
      <LinkList
        title={texts.policy.incoming}
        links={incoming}
        say={({ source, output, input }) => `${source} · ${output} → ${input}`}
      />
      <LinkList
        title={texts.policy.outgoing}
        links={outgoing}
        say={({ output, target, input }) => `${output} → ${target} · ${input}`}
      />
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

function LinkList({
  title,
  links,
  say,
}: {
  readonly title: string;
  readonly links: readonly Link[];
  readonly say: (link: Link) => string;
}): ReactNode {
  if (links.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul className="plain">
        {links.map((link, at) => (
          <li key={at} className={link.isDisabled ? 'quiet' : ''}>
            {say(link)}
          </li>
        ))}
      </ul>
    </>
  );
}
