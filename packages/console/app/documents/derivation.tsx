/** How a document was calculated: the block, its source documents, and the origin of each field. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { PolicyClient } from '@blockwork/client';
import { useClient } from '../api/server.js';
import { texts } from '../texts.js';
import { valueText } from '../ui/format.js';
import { Loaded } from '../ui/loaded.js';
import { pathOf } from './document-path.js';
import { stepsTo, type Variable } from './derivation-steps.js';

type BlockDerivation = Awaited<ReturnType<PolicyClient['derivation']>>['blocks'][number];

interface DerivationProps {
  readonly policyId: string;
  readonly documentId: string;
}

export function Derivation({ policyId, documentId }: DerivationProps): ReactNode {
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
