/** Uploads files of signed credentials, and shows which of them were accepted. */
import { type BlockViewProps, type Slot, textOf, titleOf } from '@blockwork/react';
import { valueText } from '@blockwork/react/rows';
import { type ReactNode, useState } from 'react';
import { texts } from '../../texts.js';
import { Failure } from '../../ui/failure.js';
import { FileButton } from '../../ui/file-button.js';
import { Loaded } from '../../ui/loaded.js';
import { useBlock, useSend } from '../policy-context.js';

export default function Upload({ block }: BlockViewProps): ReactNode {
  const query = useBlock<Slot>(block.id);
  return <Loaded query={query}>{(answer) => <UploadForm answer={answer} />}</Loaded>;
}

function UploadForm({ answer }: { readonly answer: Slot }): ReactNode {
  const { id: uuid, blockType, uiMetaData } = answer;
  const send = useSend({ uuid });
  const [results, setResults] = useState<readonly Result[]>([]);
  const title = textOf(uiMetaData, 'pageTitle') || textOf(uiMetaData, 'dialogTitle');
  const description = textOf(uiMetaData, 'pageDescription') || textOf(uiMetaData, 'dialogDescription');
  const upload = async (files: readonly File[]): Promise<void> => {
    setResults([]);
    const candidates: Candidate[] = (await Promise.all(files.map(credentialsIn))).flat();
    const documents = candidates.flatMap(({ document }) => document ?? []);
    if (documents.length === 0) setResults(resultsOf(candidates, []));
    else
      send.mutate(
        { documents },
        {
          onSuccess: (answered) => {
            const { invalid = [] } = answered as { readonly invalid?: readonly unknown[] };
            setResults(resultsOf(candidates, invalid));
          },
        },
      );
  };
  return (
    <section className="card stack" aria-busy={send.isPending}>
      <h2>{title || titleOf({ blockType, uiMetaData: uiMetaData ?? null })}</h2>
      {description !== '' && <p>{description}</p>}
      <p className="quiet">{texts.upload.explain}</p>
      <div className="actions">
        <FileButton
          label={textOf(uiMetaData, 'buttonText') || texts.upload.choose}
          className="primary"
          accept=".json,application/json"
          isMultiple
          isBusy={send.isPending}
          onFiles={(files) => {
            send.reset();
            void upload(files);
          }}
        />
      </div>
      {send.error !== null && <Failure error={send.error} />}
      <div role="status">
        {results.length > 0 && (
          <ul className="plain stack">
            {results.map(({ file, name, outcome }, at) => (
              <li key={at}>
                <strong>{file}</strong> {name}{' '}
                <span className={outcome === 'verified' ? 'mark' : 'problem'}>{texts.upload[outcome]}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

type Document = Readonly<Record<string, unknown>>;

interface Candidate {
  /** Name of its file. */
  readonly file: string;
  /** Absent if the file is not a credential. */
  readonly document?: Document;
}

interface Result {
  readonly file: string;
  /** The credential's own name. */
  readonly name: string;
  readonly outcome: 'verified' | 'invalid' | 'notJson';
}

/** A single credential, or a list of them. */
async function credentialsIn(file: File): Promise<Candidate[]> {
  const content = await parsed(file);
  const documents = Array.isArray(content) ? (content as readonly unknown[]) : [content];
  if (documents.length === 0 || !documents.every(isObject)) return [{ file: file.name }];
  return documents.map((document) => ({ file: file.name, document }));
}

async function parsed(file: File): Promise<unknown> {
  try {
    return JSON.parse(await file.text());
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The server returns rejected credentials in order. Of duplicates it accepts the first, so matching starts from the
 * end.
 */
function resultsOf(candidates: readonly Candidate[], invalid: readonly unknown[]): Result[] {
  const rest = invalid.map((document) => JSON.stringify(document));
  const results = candidates.toReversed().map(({ file, document }): Result => {
    if (document === undefined) return { file, name: '', outcome: 'notJson' };
    const isInvalid = rest.length > 0 && rest.at(-1) === JSON.stringify(document);
    if (isInvalid) rest.pop();
    return { file, name: valueText(document['id']), outcome: isInvalid ? 'invalid' : 'verified' };
  });
  return results.reverse();
}
