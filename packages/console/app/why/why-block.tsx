/** Explains whether a block is open to a user, step by step from the root; obstacles are marked. */
import { useQuery } from '@tanstack/react-query';
import { useId, useState, type ReactNode } from 'react';
import type { BlockClient } from '@blockwork/client';
import { useClient } from '../api/server.js';
import { usePeople } from '../session/people.js';
import { texts } from '../texts.js';
import { Loaded } from '../ui/loaded.js';
import { TextForm } from '../ui/text-form.js';

type Explanation = Awaited<ReturnType<BlockClient['explain']>>;
type Step = Explanation['steps'][number];
type Verdict = Explanation['read'];

interface WhyProps {
  readonly policyId: string;
  readonly uuid: string;
  /** Everyone can query for themselves, the owner for any user. */
  readonly isOwner: boolean;
}

export function WhyBlock({ policyId, uuid, isOwner }: WhyProps): ReactNode {
  const client = useClient();
  const { active } = usePeople();
  const [person, setPerson] = useState(active?.did ?? '');
  const query = useQuery({
    queryKey: ['why', policyId, uuid, person],
    queryFn: async ({ signal }) => client.policy(policyId).block({ uuid }).explain({ as: person, signal }),
    retry: false,
  });
  return (
    <section className="stack why" aria-label={texts.why.title}>
      <h3>{texts.why.title}</h3>
      {isOwner && <ForWhom person={person} onChange={setPerson} />}
      <Loaded query={query}>{(explanation) => <Decision explanation={explanation} />}</Loaded>
    </section>
  );
}

function ForWhom({
  person,
  onChange,
}: {
  readonly person: string;
  readonly onChange: (did: string) => void;
}): ReactNode {
  const id = useId();
  const { all } = usePeople();
  const isKnown = all.some(({ did }) => did === person);
  return (
    <div className="filters">
      <label htmlFor={id}>{texts.why.forWhom}</label>
      <select
        id={id}
        value={person}
        onChange={(event) => {
          onChange(event.target.value);
        }}
      >
        {!isKnown && <option value={person}>{person}</option>}
        {all.map(({ did, name }) => (
          <option key={did} value={did}>
            {name}
          </option>
        ))}
      </select>
      <TextForm label={texts.why.otherDid} button={texts.why.ask} required onSubmit={onChange} />
    </div>
  );
}

const Decision = ({
  explanation: { outcome, as, steps, read, send },
}: {
  readonly explanation: Explanation;
}): ReactNode => (
  <>
    <p role="status">
      <span className={outcome === 'allowed' ? 'mark' : 'mark error'}>{texts.why.outcomes[outcome]}</span>{' '}
      <span className="quiet">{texts.why.person(as.role, as.isOwner)}</span>
    </p>
    <ol className="plain steps">
      {steps.map((step) => (
        <StepLine key={step.uuid} step={step} />
      ))}
    </ol>
    <dl>
      {isSame(read, send) ? (
        <VerdictLine title={texts.why.readAndSend} verdict={read} />
      ) : (
        <>
          <VerdictLine title={texts.why.read} verdict={read} />
          <VerdictLine title={texts.why.send} verdict={send} />
        </>
      )}
    </dl>
  </>
);

function StepLine({ step: { tag, blockType, permissions, cause, reason } }: { readonly step: Step }): ReactNode {
  const isObstacle = cause !== undefined;
  return (
    <li className={isObstacle ? 'step stops' : 'step'}>
      <p>
        <span aria-hidden="true">{isObstacle ? '✗' : '✓'}</span>{' '}
        <span className="sr-only">{isObstacle ? texts.why.stops : texts.why.passes}</span>{' '}
        <strong>{tag === '' ? texts.policy.untagged : tag}</strong>{' '}
        <span className="quiet">
          {blockType} · {permissions.length === 0 ? texts.policy.nobody : permissions.join(', ')}
        </span>
      </p>
      {isObstacle && (
        <p>
          {texts.why.causes[cause]}{' '}
          {reason !== undefined && !isPlain.has(cause) && <span className="quiet">{reason}</span>}
        </p>
      )}
    </li>
  );
}

/** Causes that the block's audience, in the line above, already explains. */
const isPlain: ReadonlySet<string> = new Set(['role']);

const reasonOf = (verdict: Verdict): string => (verdict.isAllowed ? '' : verdict.reason);
const isSame = (one: Verdict, other: Verdict): boolean =>
  one.isAllowed === other.isAllowed && reasonOf(one) === reasonOf(other);

const VerdictLine = ({ title, verdict }: { readonly title: string; readonly verdict: Verdict }): ReactNode => (
  <>
    <dt>{title}</dt>
    <dd>
      {verdict.isAllowed ? (
        texts.why.allowed
      ) : (
        <>
          {verdict.reason} <code>{verdict.code}</code>
        </>
      )}
    </dd>
  </>
);
