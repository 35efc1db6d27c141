/** The trust chain of a document, as a picture and as a list. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { PolicyClient } from '@blockwork/client';
import { useClient } from '../api/server.js';
import { texts } from '../texts.js';
import { Loaded } from '../ui/loaded.js';
import { layoutOf } from './chain-layout.js';
import { pathOf } from './document-path.js';

type Chain = Awaited<ReturnType<PolicyClient['trustChain']>>;
type ChainLink = Chain['links'][number];

interface ChainProps {
  readonly policyId: string;
  readonly documentId: string;
}

export function TrustChain({ policyId, documentId }: ChainProps): ReactNode {
  const client = useClient();
  const query = useQuery({
    queryKey: ['documents', policyId, documentId, 'chain'],
    queryFn: async ({ signal }) => client.policy(policyId).trustChain(documentId, { signal }),
    retry: false,
  });
  return (
    <section className="card">
      <h2>{texts.page.trustChain}</h2>
      <Loaded query={query}>{(chain) => <Shown policyId={policyId} chain={chain} />}</Loaded>
    </section>
  );
}

const Shown = ({ policyId, chain }: { readonly policyId: string; readonly chain: Chain }): ReactNode => (
  <>
    <p>
      <span className={chain.isTrusted ? 'mark' : 'mark error'}>
        {chain.isTrusted ? texts.documents.trusted : texts.documents.notTrusted}
      </span>{' '}
      {!chain.isComplete && texts.documents.incomplete}{' '}
      {chain.missing.length > 0 && texts.documents.missing(chain.missing.length)}
    </p>
    <Picture links={chain.links} />
    <ol className="chain">
      {chain.links.map((link, at) => (
        <li key={link.messageId ?? at}>
          <strong>
            {link.document === undefined ? (
              nameOf(link)
            ) : (
              <Link href={pathOf(policyId, link.document.id)}>{nameOf(link)}</Link>
            )}
          </strong>{' '}
          {link.proof !== undefined && (
            <span className={link.proof.verified ? 'mark' : 'mark error'}>
              {link.proof.verified ? texts.documents.proofHolds : texts.documents.proofFails}
            </span>
          )}
          <p className="quiet">
            {texts.documents.signedBy} {link.signer}
            {link.roles.length > 0 && ` (${link.roles.join(', ')})`}
            {link.mints.map(({ amount, tokenId }) => ` · ${texts.page.minted} ${amount ?? ''} ${tokenId ?? ''}`)}
          </p>
        </li>
      ))}
    </ol>
  </>
);

function nameOf({ document, message }: ChainLink): string {
  const name = document?.type ?? message?.type ?? document?.dataType ?? texts.documents.unnamed;
  // A presentation has the type of what it presents.
  return document?.dataType === 'vp-documents' ? `${name}, ${texts.page.presentation.toLowerCase()}` : name;
}

const [WIDTH, HEIGHT, GAP] = [150, 36, 28];
/** Characters that fit into a box. */
const FITS = 19;

function Picture({ links }: { readonly links: readonly ChainLink[] }): ReactNode {
  if (links.length < 2) return null;
  const places = layoutOf(links);
  const x = (column: number): number => column * (WIDTH + GAP) + 1;
  const y = (row: number): number => row * (HEIGHT + GAP / 2) + 1;
  const width = x(Math.max(...places.map(({ column }) => column)) + 1);
  const height = y(Math.max(...places.map(({ row }) => row)) + 1);
  return (
    <div className="scroll" role="region" aria-label={texts.documents.picture} tabIndex={0}>
      <svg className="chain-picture" width={width} height={height} aria-hidden="true">
        {places.map(({ column, row, from }, to) =>
          from.map((index) => {
            const source = places[index];
            if (source === undefined) return null;
            const [x1, y1] = [x(source.column) + WIDTH, y(source.row) + HEIGHT / 2];
            const [x2, y2] = [x(column), y(row) + HEIGHT / 2];
            const half = (x1 + x2) / 2;
            return (
              <path key={`${String(index)}-${String(to)}`} d={`M${x1} ${y1}C${half} ${y1} ${half} ${y2} ${x2} ${y2}`} />
            );
          }),
        )}
        {places.map(({ column, row }, at) => {
          const link = links[at];
          if (link === undefined) return null;
          const name = nameOf(link);
          return (
            <g key={at} className={link.proof?.verified === false ? 'bad' : ''}>
              <rect x={x(column)} y={y(row)} width={WIDTH} height={HEIGHT} rx="6" />
              <text x={x(column) + 10} y={y(row) + HEIGHT / 2 + 5}>
                {name.length > FITS ? `${name.slice(0, FITS - 1)}…` : name}
              </text>
            </g>
          );
        })}
      </svg>
    </div>
  );
}
