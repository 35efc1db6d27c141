/** Uploads files of signed credentials, and shows which of them were accepted. */
import { useState, type ReactNode } from 'react';
import { texts } from '../../texts.js';
import { Failure } from '../../ui/failure.js';
import { FileButton } from '../../ui/file-button.js';
import { Loaded } from '../../ui/loaded.js';
import { useBlock, useSend, type Slot, type BlockProps } from '../policy-context.js';
import { textOf, titleOf } from '../titles.js';
import { credentialsIn, resultsOf, type Candidate, type Result } from './uploaded-credentials.js';

export default function Upload({ block }: BlockProps): ReactNode {
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
