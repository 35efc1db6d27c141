/** Explains why a grid shows a user a document or not: every source, and which of its conditions the document meets. */
import { valueText } from '@blockwork/react/rows';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { BlockClient } from '@blockwork/client';
import { useClient } from '../api/server.js';
import { texts } from '../texts.js';
import { Loaded } from '../ui/loaded.js';
import { TextForm } from '../ui/text-form.js';

type Selection = Awaited<ReturnType<BlockClient['explainDocument']>>;
type Source = Selection['sources'][number];

interface WhyDocumentProps {
  readonly policyId: string;
  readonly uuid: string;
}

export function WhyDocument({ policyId, uuid }: WhyDocumentProps): ReactNode {
  const [documentId, setDocumentId] = useState('');
  return (
    <section className="stack" aria-label={texts.why.document}>
      <h3>{texts.why.document}</h3>
      <TextForm label={texts.why.documentId} button={texts.why.ask} required onSubmit={setDocumentId} />
      {documentId !== '' && <Answer policyId={policyId} uuid={uuid} documentId={documentId} />}
    </section>
  );
}

function Answer({ policyId, uuid, documentId }: WhyDocumentProps & { readonly documentId: string }): ReactNode {
  const client = useClient();
  const query = useQuery({
    queryKey: ['why', policyId, uuid, 'document', documentId],
    queryFn: async ({ signal }) => client.policy(policyId).block({ uuid }).explainDocument(documentId, { signal }),
    retry: false,
  });
  return (
    <Loaded query={query}>
      {({ isShown, reason, sources }) => (
        <>
          <p role="status">
            <span className={isShown ? 'mark' : 'mark error'}>{isShown ? texts.why.shown : texts.why.notShown}</span>{' '}
            {reason}
          </p>
          <ul className="plain steps">
            {sources.map((source) => (
              <SourceLine key={source.tag} source={source} />
            ))}
          </ul>
        </>
      )}
    </Loaded>
  );
}

const SourceLine = ({ source: { tag, outcome, reason, conditions } }: { readonly source: Source }): ReactNode => (
  <li className={outcome === 'selected' ? 'step' : 'step stops'}>
    <p>
      <strong>{tag}</strong> {texts.why.sources[outcome]} <span className="quiet">{reason}</span>
    </p>
    <ul className="plain">
      {conditions.map(({ by, condition, isMet, found: value }, at) => (
        <li key={at} className={isMet ? 'quiet' : 'problem'}>
          <span aria-hidden="true">{isMet ? '✓' : '✗'}</span>{' '}
          <span className="sr-only">{isMet ? texts.why.passes : texts.why.stops}</span> {by}:{' '}
          <code>{valueText(condition)}</code>
          {value !== undefined && (
            <>
              {' '}
              {texts.why.found} <code>{JSON.stringify(value)}</code>
            </>
          )}
        </li>
      ))}
    </ul>
  </li>
);
