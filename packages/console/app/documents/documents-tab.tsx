/** The documents of a policy, newest first, or one of them. */
import type { PolicyClient } from '@blockwork/client';
import { valueText } from '@blockwork/react/rows';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useClient } from '../api/server.js';
import { usePages } from '../api/use-pages.js';
import { texts } from '../texts.js';
import { Failure } from '../ui/failure.js';
import { dateText } from '../ui/format.js';
import { JsonView } from '../ui/json-view.js';
import { Loaded } from '../ui/loaded.js';
import { Loading } from '../ui/loading.js';
import { MoreButton } from '../ui/more-button.js';
import { Table } from '../ui/table.js';
import { stepsTo, type Variable } from './derivation-steps.js';
import { pathOf } from './document-path.js';
import { ProofButton } from './proof-button.js';
import { TrustChain } from './trust-chain.js';

interface DocumentsProps {
  readonly id: string;
  /** Id of the document to show; the list where there is none. */
  readonly selected: string | null;
}

export default function DocumentsTab({ id, selected }: DocumentsProps): ReactNode {
  return selected === null ? <DocumentList id={id} /> : <DocumentView policyId={id} documentId={selected} />;
}

function DocumentList({ id }: { readonly id: string }): ReactNode {
  const client = useClient();
  const {
    query,
    items: documents,
    total,
    more,
  } = usePages(
    ['documents', id],
    async (page, signal) => client.routes.listDocuments({ policyId: id, query: { ...page, from: 'newest' }, signal }),
    { retry: false },
  );
  if (query.error !== null && query.data === undefined)
    return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  if (query.isPending) return <Loading />;
  if (documents.length === 0) return <p className="quiet">{texts.documents.empty}</p>;
  return (
    <div className="stack">
      <p className="quiet">{texts.page.rows(total)}</p>
      <Table label={texts.policy.tabs.documents} columns={Object.values(texts.documents.columns)}>
        {documents.map((document) => (
          <tr key={document.id}>
            <td>
              <Link href={pathOf(id, document.id)}>{document.type ?? document.schema ?? document.dataType}</Link>
            </td>
            <td>{valueText(document.option['status'])}</td>
            <td>{document.owner}</td>
            <td>
              <time dateTime={document.createDate}>{dateText(document.createDate)}</time>
            </td>
          </tr>
        ))}
      </Table>
      <MoreButton query={query} more={more} />
    </div>
  );
}

type Details = Awaited<ReturnType<PolicyClient['document']>>;

interface DocumentProps {
  readonly policyId: string;
  readonly documentId: string;
}

function DocumentView({ policyId, documentId }: DocumentProps): ReactNode {
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
      <Loaded query={query}>{(details) => <Shown policyId={policyId} details={details} />}</Loaded>
      <Derivation policyId={policyId} documentId={documentId} />
      <TrustChain policyId={policyId} documentId={documentId} />
    </div>
  );
}

interface ShownProps {
  readonly policyId: string;
  readonly details: Details;
}

const Shown = ({ policyId, details: { document, proof, history, mints } }: ShownProps): ReactNode => (
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
    <ProofButton policyId={policyId} documentId={document.id} isMint={mints.length > 0} />
  </section>
);

type BlockDerivation = Awaited<ReturnType<PolicyClient['derivation']>>['blocks'][number];

interface DerivationProps {
  readonly policyId: string;
  readonly documentId: string;
}

function Derivation({ policyId, documentId }: DerivationProps): ReactNode {
  const client = useClient();
  const query = useQuery({
    queryKey: ['documents', policyId, documentId, 'derivation'],
    queryFn: async ({ signal }) => client.policy(policyId).derivation(documentId, { signal }),
    retry: false,
  });
  return (
    <section className="card" aria-label={texts.derivation.title}>
      <h2>{texts.derivation.title}</h2>
      <Loaded query={query}>
        {({ blocks, isRecorded, entryId }) => (
          <>
            {blocks.length === 0 && <p className="quiet">{texts.derivation.notCalculated}</p>}
            {blocks.length > 0 && !isRecorded && <p className="quiet">{texts.derivation.notRecorded}</p>}
            {blocks.map((each) => (
              <OfBlock key={each.block.uuid} policyId={policyId} derivation={each} />
            ))}
            {isRecorded && entryId !== null && (
              <p>
                <Link href={`/policies/${encodeURIComponent(policyId)}/way/${entryId}`}>{texts.derivation.way}</Link>
              </p>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

interface OfBlockProps {
  readonly policyId: string;
  readonly derivation: BlockDerivation;
}

function OfBlock({ policyId, derivation }: OfBlockProps): ReactNode {
  const { block, sources, variables, fields, script, problem } = derivation;
  const names = new Map(sources.map(({ id, type }) => [id, type]));
  return (
    <>
      <p>
        {texts.derivation.madeBy}{' '}
        <Link href={`/policies/${encodeURIComponent(policyId)}/live/${block.uuid}`}>{block.tag}</Link>{' '}
        <span className="quiet">{block.blockType}</span>
      </p>
      {problem !== undefined && <p className="problem">{problem}</p>}
      <p className="quiet">{texts.derivation.from(sources.length)}</p>
      <Sources policyId={policyId} ids={sources.map(({ id }) => id)} names={names} />
      {script !== undefined && (
        <details open={fields.length === 0}>
          <summary>{texts.derivation.script}</summary>
          <pre className="json">
            <code>{script}</code>
          </pre>
        </details>
      )}
      <ul className="plain derived">
        {fields.map((field) => (
          <li key={field.path}>
            <details>
              <summary>
                <strong>{field.path}</strong> = {shown(field.found)}{' '}
                <span className={field.isSame ? 'mark' : 'mark error'}>
                  {field.isSame ? texts.derivation.same : texts.derivation.differs(shown(field.value))}
                </span>
              </summary>
              <ol>
                {stepsTo(field.variable, variables).map((variable, at) => (
                  <Step key={at} policyId={policyId} variable={variable} names={names} />
                ))}
              </ol>
            </details>
          </li>
        ))}
      </ul>
    </>
  );
}

interface StepProps {
  readonly policyId: string;
  readonly variable: Variable;
  /** Of documents, by id. */
  readonly names: ReadonlyMap<string, string>;
}

const Step = ({ policyId, variable: { name, value, formula, from, by }, names }: StepProps): ReactNode => (
  <li>
    <code>{name}</code> = {formula !== undefined && <code>{formula} = </code>}
    <strong>{shown(value)}</strong> <span className="quiet">{texts.derivation.by(by)}</span>
    {from !== undefined && (
      <>
        <br />
        <span className="quiet">
          {from.documentIds.length === 0 ? texts.derivation.nowhere : texts.derivation.field} <code>{from.path}</code>
        </span>
        <Sources policyId={policyId} ids={from.documentIds} names={names} />
      </>
    )}
  </li>
);

/** Number of documents shown initially; the others are collapsed. */
const AT_ONCE = 3;

interface SourcesProps {
  readonly policyId: string;
  readonly ids: readonly string[];
  readonly names: ReadonlyMap<string, string>;
}

function Sources({ policyId, ids, names }: SourcesProps): ReactNode {
  const list = (
    <ul>
      {ids.map((id) => (
        <li key={id}>
          <Link href={pathOf(policyId, id)}>{names.get(id) ?? texts.documents.unnamedDocument}</Link>{' '}
          <code className="quiet">{id}</code>
        </li>
      ))}
    </ul>
  );
  if (ids.length <= AT_ONCE) return list;
  return (
    <details>
      <summary>{texts.page.rows(ids.length)}</summary>
      {list}
    </details>
  );
}

const shown = (value: unknown): string => (value === null ? texts.derivation.nothing : valueText(value));
