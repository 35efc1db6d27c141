/** Chooses a topic of another policy, and the schema of the documents to import from it. */
import { type BlockViewProps, type Slot, titleOf } from '@blockwork/react';
import { valueText } from '@blockwork/react/rows';
import type { ReactNode } from 'react';
import { texts } from '../../texts.js';
import { Failure } from '../../ui/failure.js';
import { dateText } from '../../ui/format.js';
import { Loaded } from '../../ui/loaded.js';
import { TextForm } from '../../ui/text-form.js';
import { useBlock, useSend } from '../policy-context.js';

interface ForeignSchema {
  readonly id: string;
  readonly name: string;
  readonly status: 'NOT_VERIFIED' | 'COMPATIBLE' | 'INCOMPATIBLE';
}

interface TopicAnswer extends Slot {
  readonly status: 'NEED_TOPIC' | 'NEED_SCHEMA' | 'FREE';
  readonly documentTopicId: string;
  readonly policyMessage: Readonly<Record<string, unknown>> | null;
  readonly schemas: readonly ForeignSchema[];
  readonly schema: ForeignSchema | null;
  readonly lastUpdate: string;
}

type Operate = (operation: string, value?: string) => void;

export default function ExternalTopic({ block }: BlockViewProps): ReactNode {
  const query = useBlock<TopicAnswer>(block.id);
  const send = useSend({ uuid: block.id });
  const operate: Operate = (operation, value) => {
    send.mutate({ operation, ...(value !== undefined && { value }) });
  };
  return (
    <Loaded query={query}>
      {(answer) => (
        <section className="card stack" aria-busy={send.isPending}>
          <h2>{titleOf(answer)}</h2>
          {answer.status === 'NEED_TOPIC' ? (
            <>
              <p className="quiet">{texts.externalTopic.explain}</p>
              <TextForm
                label={texts.externalTopic.topic}
                button={texts.externalTopic.setTopic}
                required
                onSubmit={(topic) => {
                  operate('SetTopic', topic);
                }}
              />
            </>
          ) : (
            <TopicChosen answer={answer} isBusy={send.isPending} operate={operate} />
          )}
          {send.error !== null && <Failure error={send.error} />}
        </section>
      )}
    </Loaded>
  );
}

interface ChosenProps {
  readonly answer: TopicAnswer;
  readonly isBusy: boolean;
  readonly operate: Operate;
}

function TopicChosen({ answer, isBusy, operate }: ChosenProps): ReactNode {
  const { status, documentTopicId, policyMessage, schema, lastUpdate } = answer;
  const act = (label: string, operation: string, className?: string): ReactNode => (
    <button
      type="button"
      className={className}
      disabled={isBusy}
      onClick={() => {
        operate(operation);
      }}
    >
      {label}
    </button>
  );
  return (
    <>
      <p>
        {texts.externalTopic.of(valueText(policyMessage?.['name']), documentTopicId)}{' '}
        <span className="quiet">{dateText(lastUpdate)}</span>
      </p>
      {status === 'FREE' ? (
        <p>{texts.externalTopic.following(schema?.name ?? '')}</p>
      ) : (
        <Schemas schemas={answer.schemas} isBusy={isBusy} operate={operate} />
      )}
      <div className="actions">
        {status === 'FREE'
          ? act(texts.externalTopic.load, 'LoadDocuments', 'primary')
          : answer.schemas.length > 0 && act(texts.externalTopic.compare, 'VerificationSchemas')}
        {act(texts.externalTopic.restart, 'Restart')}
      </div>
    </>
  );
}

function Schemas({ schemas, isBusy, operate }: Omit<ChosenProps, 'answer'> & Pick<TopicAnswer, 'schemas'>): ReactNode {
  if (schemas.length === 0) return <p className="quiet">{texts.externalTopic.noSchemas}</p>;
  return (
    <ul className="plain stack" aria-label={texts.externalTopic.schemas}>
      {schemas.map(({ id, name, status }) => (
        <li key={id} className="spread">
          <span>
            {name}{' '}
            <span className={status === 'COMPATIBLE' ? 'mark' : 'quiet'}>{texts.externalTopic.fits[status]}</span>
          </span>
          {status !== 'INCOMPATIBLE' && (
            <button
              type="button"
              disabled={isBusy}
              onClick={() => {
                operate('SetSchema', id);
              }}
            >
              {texts.externalTopic.follow(name)}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
