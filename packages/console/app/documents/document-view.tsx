/** One document: its proof, its content, what was minted for it, and its trust chain. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { PolicyClient } from '@blockwork/client';
import { useClient } from '../api/server.js';
import { texts } from '../texts.js';
import { dateText, valueText } from '../ui/format.js';
import { JsonView } from '../ui/json-view.js';
import { Loaded } from '../ui/loaded.js';
import { Derivation } from './derivation.js';
import { TrustChain } from './trust-chain.js';

type Details = Awaited<ReturnType<PolicyClient['document']>>;

interface DocumentProps {
  readonly policyId: string;
  readonly documentId: string;
}

export function DocumentView({ policyId, documentId }: DocumentProps): ReactNode {
  const client = useClient();
  const query = useQuery({
    queryKey: ['documents', policyId, documentId],
    queryFn: async ({ signal }) => client.policy(policyId).document(documentId, { signal }),
    retry: false,
  });
  return (
    <div className="stack in-order">
      <p>
        <Link href={`/policies/${encodeURIComponent(policyId)}/documents`}>{texts.documents.back}</Link>
      </p>
      <Loaded query={query}>{(details) => <Shown details={details} />}</Loaded>
      <Derivation policyId={policyId} documentId={documentId} />
      <TrustChain policyId={policyId} documentId={documentId} />
    </div>
  );
}

const Shown = ({ details: { document, proof, history, mints } }: { readonly details: Details }): ReactNode => (
  <section className="card">
    <h2>{document.type ?? document.schema ?? document.dataType}</h2>
    <p>
      <span className={proof.verified ? 'mark' : 'mark error'}>
        {proof.verified ? texts.documents.proofHolds : texts.documents.proofFails}
      </span>{' '}
      <span className="quiet">{proof.reason}</span>
    </p>
    <dl>
      <dt>{texts.documents.columns.owner}</dt>
      <dd>{document.owner}</dd>
      {document.option['status'] !== undefined && (
        <>
          <dt>{texts.documents.columns.status}</dt>
          <dd>{valueText(document.option['status'])}</dd>
        </>
      )}
      <dt>{texts.documents.columns.created}</dt>
      <dd>{dateText(document.createDate)}</dd>
      <dt>{texts.documents.id}</dt>
      <dd>
        <code>{document.id}</code>
      </dd>
    </dl>
    {mints.length > 0 && <h3>{texts.page.minted}</h3>}
    <ul className="plain">
      {mints.map(({ id, amount, tokenId, accountId }) => (
        <li key={id}>
          {amount} <code>{tokenId}</code> → {accountId}
        </li>
      ))}
    </ul>
    {history.length > 1 && <h3>{texts.documents.history}</h3>}
    <ol className="plain">
      {history.length > 1 &&
        history.map(({ option, created }, at) => (
          <li key={at}>
            <time dateTime={created}>{dateText(created)}</time> {valueText(option['status'])}
          </li>
        ))}
    </ol>
    <details>
      <summary>{texts.page.document}</summary>
      <JsonView value={document.document} />
    </details>
  </section>
);
