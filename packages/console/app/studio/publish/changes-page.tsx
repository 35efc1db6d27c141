/** What a draft changes against the published version, what is wrong with it, and the button that publishes it. */
import { statusIs } from '@blockwork/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useClient } from '../../api/server.js';
import type { TabProps } from '../../policy/tab.js';
import type { Finding } from '../../policy/finding.js';
import { useFindings } from '../../policy/use-findings.js';
import { texts as consoleTexts } from '../../texts.js';
import { Failure } from '../../ui/failure.js';
import { Loaded } from '../../ui/loaded.js';
import { Changes } from '../../versions/changes.js';
import { countOf, FindingsLink } from '../findings/finding-counts.js';
import { studioTexts } from '../texts.js';

const texts = studioTexts.publish;

export default function ChangesPage({ id, status, version, isOwner }: TabProps): ReactNode {
  const client = useClient();
  const findings = useFindings(id);
  const versions = useQuery({
    queryKey: ['versions', id],
    queryFn: async ({ signal }) => client.policy(id).versions({ signal }),
  });
  if (!isOwner) return <p className="card warning">{texts.ownerOnly}</p>;
  return (
    <div className="stack in-order">
      <Loaded query={versions}>
        {(all) => {
          const before = all.find((each) => each.id !== id && statusIs(each.status, 'published'));
          return before === undefined ? (
            <p className="card">{texts.first}</p>
          ) : (
            <>
              <p className="quiet">{texts.against(before.version)}</p>
              <Changes id={id} since={before.id} />
              <p className="quiet">{texts.running(before.version)}</p>
            </>
          );
        }}
      </Loaded>
      <Loaded query={findings}>
        {(findings) => <Publish id={id} status={status} proposed={version} findings={findings} />}
      </Loaded>
    </div>
  );
}

interface PublishProps {
  readonly id: string;
  readonly status: string;
  readonly proposed: string;
  readonly findings: readonly Finding[];
}

function Publish({ id, status, proposed, findings }: PublishProps): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [version, setVersion] = useState(proposed);
  const hasErrors = countOf(findings, 'error') > 0;
  const publishing = useMutation({
    mutationFn: async () => {
      const { isValid } = await client.policy(id).publish(version);
      if (!isValid) throw new Error(consoleTexts.policies.invalid);
    },
    onSuccess: async () => {
      await queries.invalidateQueries();
      navigate(`/policies/${encodeURIComponent(id)}/page`);
    },
  });
  return (
    <section className="card stack" aria-label={texts.title}>
      <h2>{texts.title}</h2>
      <FindingsLink id={id} findings={findings} />
      {hasErrors && <p className="problem">{texts.mendFirst}</p>}
      {statusIs(status, 'trial') && <p className="quiet">{texts.means}</p>}
      <form
        className="inline"
        onSubmit={(event) => {
          event.preventDefault();
          publishing.mutate();
        }}
      >
        <label>
          {texts.version}{' '}
          <input
            required
            pattern="\d+(\.\d+){0,2}"
            value={version}
            onChange={(event) => {
              setVersion(event.target.value);
            }}
          />
        </label>
        <button type="submit" className="primary" disabled={publishing.isPending || hasErrors}>
          {texts.publish(version)}
        </button>
      </form>
      {publishing.error !== null && <Failure error={publishing.error} />}
    </section>
  );
}
