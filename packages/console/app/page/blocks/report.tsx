/** A report: the trust chain of a mint or a document. */
import type { BlockViewProps, Slot } from '@blockwork/react';
import type { ReactNode } from 'react';
import { texts } from '../../texts.js';
import { Failure } from '../../ui/failure.js';
import { DialogButton } from '../../ui/dialog-button.js';
import { JsonView } from '../../ui/json-view.js';
import { Loaded } from '../../ui/loaded.js';
import { TextForm } from '../../ui/text-form.js';
import { useBlock, useSend } from '../policy-context.js';

interface Part {
  readonly title?: string;
  readonly name?: string;
  readonly description?: string;
  readonly issuer?: string;
  readonly username?: string;
  readonly amount?: string;
  readonly tokenId?: string;
  readonly date?: string;
  readonly visible?: boolean;
  readonly document?: unknown;
}

interface ReportAnswer extends Slot {
  readonly hash: string | null;
  readonly data: {
    readonly vpDocument?: Part | null;
    readonly vcDocument?: Part | null;
    readonly mintDocument?: Part | null;
    readonly policyDocument?: Part | null;
    readonly documents?: readonly Part[];
  } | null;
}

export default function Report({ block }: BlockViewProps): ReactNode {
  const query = useBlock<ReportAnswer>(block.id);
  const send = useSend({ uuid: block.id });
  return (
    <Loaded query={query}>
      {({ data, hash }) => (
        <section className="card stack">
          <h2>{texts.page.trustChain}</h2>
          <TextForm
            label={texts.page.hash}
            button={texts.page.show}
            initial={hash ?? ''}
            onSubmit={(text) => {
              send.mutate({ filterValue: text.trim() === '' ? null : text.trim() });
            }}
          />
          {send.error !== null && <Failure error={send.error} />}
          {data === null ? (
            <p className="quiet">{texts.page.noReport}</p>
          ) : (
            <ol className="chain">
              <ChainPart title={texts.page.minted} part={data.mintDocument} />
              <ChainPart title={texts.page.presentation} part={data.vpDocument} />
              <ChainPart title={texts.page.credential} part={data.vcDocument} />
              {(data.documents ?? []).map((part, at) => (
                <ChainPart key={at} title={part.title ?? ''} part={part} />
              ))}
              <ChainPart title={texts.page.policyPart} part={data.policyDocument} />
            </ol>
          )}
        </section>
      )}
    </Loaded>
  );
}

function ChainPart({ title, part }: { readonly title: string; readonly part: Part | null | undefined }): ReactNode {
  if (part == null || part.visible === false) return null;
  const { name, description, issuer, username, amount, tokenId, document } = part;
  return (
    <li>
      <div className="spread">
        <strong>
          {title} {amount !== undefined && `${amount} × ${tokenId ?? ''}`} {name}
        </strong>
        {document == null ? (
          <span className="quiet">{texts.page.notFound}</span>
        ) : (
          <DialogButton label={texts.page.open} title={title}>
            {() => <JsonView value={document} />}
          </DialogButton>
        )}
      </div>
      <p className="quiet">
        {description} {username ?? issuer}
      </p>
    </li>
  );
}
