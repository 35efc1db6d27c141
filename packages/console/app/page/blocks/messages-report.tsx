/** A ledger message with all its transitive references, by topic. */
import { type BlockViewProps, type Slot, titleOf } from '@blockwork/react';
import type { ReactNode } from 'react';
import { texts } from '../../texts.js';
import { DialogButton } from '../../ui/dialog-button.js';
import { Failure } from '../../ui/failure.js';
import { JsonView } from '../../ui/json-view.js';
import { Loaded } from '../../ui/loaded.js';
import { TextForm } from '../../ui/text-form.js';
import { useBlock, useSend } from '../policy-context.js';

interface Message {
  readonly id: string;
  readonly type: string;
  readonly username?: string | null;
  readonly owner: string;
  readonly entityType?: string | null;
  readonly status?: string | null;
  readonly document?: unknown;
}

interface Topic {
  readonly topicId: string;
  readonly message?: { readonly name?: string; readonly description?: string };
  readonly children?: readonly Topic[];
  readonly messages?: readonly Message[];
}

interface Report {
  readonly topics?: readonly Topic[];
  readonly tokens?: readonly { readonly tokenId: string; readonly name?: string; readonly symbol?: string }[];
  /** Whether messages were omitted. */
  readonly truncated?: boolean;
}

interface ReportAnswer extends Slot {
  /** Absent until a message is chosen. */
  readonly target?: string;
  readonly report?: Report | null;
}

export default function MessagesReport({ block }: BlockViewProps): ReactNode {
  const query = useBlock<ReportAnswer>(block.id);
  const send = useSend({ uuid: block.id });
  return (
    <Loaded query={query}>
      {({ target = '', report, uiMetaData, blockType }) => (
        <section className="card stack" aria-busy={send.isPending || query.isFetching}>
          <h2>{titleOf({ blockType, uiMetaData: uiMetaData ?? block.uiMetaData ?? null })}</h2>
          <TextForm
            key={target}
            label={texts.messages.target}
            button={texts.page.show}
            initial={target}
            onSubmit={(text) => {
              send.mutate({ filterValue: text.trim() });
            }}
          />
          {send.error !== null && <Failure error={send.error} />}
          {target === '' ? (
            <p className="quiet">{texts.messages.none}</p>
          ) : report == null ? (
            <p className="quiet">{texts.messages.unknown(target)}</p>
          ) : (
            <ReportView report={report} />
          )}
        </section>
      )}
    </Loaded>
  );
}

function ReportView({ report: { topics = [], tokens = [], truncated } }: { readonly report: Report }): ReactNode {
  return (
    <>
      {truncated === true && <p className="quiet">{texts.messages.truncated}</p>}
      {topics.map((topic) => (
        <TopicView key={topic.topicId} topic={topic} />
      ))}
      {tokens.length > 0 && (
        <section>
          <h3>{texts.messages.tokens}</h3>
          <ul>
            {tokens.map(({ tokenId, name = '', symbol = '' }) => (
              <li key={tokenId}>
                {name} {symbol} <code>{tokenId}</code>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function TopicView({
  topic: { topicId, message, children = [], messages = [] },
}: {
  readonly topic: Topic;
}): ReactNode {
  return (
    <>
      <section aria-label={message?.name || topicId}>
        <h3>
          {message?.name} <code>{topicId}</code>
        </h3>
        {message?.description && <p className="quiet">{message.description}</p>}
        <ol className="chain">
          {messages.map((each) => (
            <MessageView key={each.id} message={each} />
          ))}
        </ol>
      </section>
      {children.map((child) => (
        <TopicView key={child.topicId} topic={child} />
      ))}
    </>
  );
}

function MessageView({ message }: { readonly message: Message }): ReactNode {
  const { id, type, username, owner, entityType, status, document } = message;
  return (
    <li>
      <div className="spread">
        <strong>
          {type} {entityType}
        </strong>
        {document != null && (
          <DialogButton label={texts.page.open} title={`${type} ${id}`}>
            {() => <JsonView value={document} />}
          </DialogButton>
        )}
      </div>
      <p className="quiet">
        <code>{id}</code> {username || owner}{' '}
        {status !== null && status !== undefined && <span className="mark">{status}</span>}
      </p>
    </li>
  );
}
