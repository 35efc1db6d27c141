/** The schemas of a policy to a workbook and back, with a preview of what an import changes, and one from a ledger. */
import { XLSX } from '@blockwork/contract/file-types';
import type { Client } from '@blockwork/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useClient } from '../api/server.js';
import { download } from '../ui/download.js';
import { Failure } from '../ui/failure.js';
import { FileButton } from '../ui/file-button.js';
import { Table } from '../ui/table.js';
import { PublishedSchema } from './published-schema.js';
import { schemaTexts } from './schema-texts.js';

const texts = schemaTexts.workbook;

type Preview = Awaited<ReturnType<Client['routes']['previewSchemas']>>['data'];

interface Chosen {
  readonly name: string;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly preview: Preview;
}

interface BarProps {
  readonly id: string;
  readonly canEdit: boolean;
  /** Nothing is waiting to be stored, which an export would miss. */
  readonly isSaved: boolean;
}

export function WorkbookBar({ id, canEdit, isSaved }: BarProps): ReactNode {
  const { routes } = useClient();
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [message, say] = useState('');
  const exporting = useMutation({
    mutationFn: async () => {
      const { data } = await routes.exportSchemas({ policyId: id });
      download(data, 'schemas.xlsx', XLSX);
    },
  });
  const choosing = useMutation({
    mutationFn: async (file: File) => {
      const body = new Uint8Array(await file.arrayBuffer());
      const { data: preview } = await routes.previewSchemas({ policyId: id, body });
      setChosen({ name: file.name, body, preview });
      say('');
    },
  });
  const importing = useMutation({
    mutationFn: async ({ body, preview }: Chosen) => {
      const { data } = await routes.importSchemas({ policyId: id, body, ifMatch: preview.revision });
      setChosen(null);
      say(texts.done(data.schemas.filter(({ change }) => change !== 'same').length));
      await queries.invalidateQueries();
    },
  });
  const failure = exporting.error ?? choosing.error ?? importing.error;
  return (
    <div className="workbook">
      <div className="inline">
        <span role="status" className="quiet">
          {message}
        </span>
        <button
          type="button"
          disabled={!isSaved || exporting.isPending}
          onClick={() => {
            exporting.mutate();
          }}
        >
          {texts.export}
        </button>
        {canEdit && (
          <FileButton
            label={texts.import}
            isBusy={!isSaved || choosing.isPending}
            accept={`.xlsx,${XLSX}`}
            onFiles={([file]) => {
              importing.reset();
              if (file !== undefined) choosing.mutate(file);
            }}
          />
        )}
        {canEdit && <PublishedSchema id={id} onImported={say} />}
      </div>
      {failure !== null && <Failure error={failure} />}
      {chosen !== null && (
        <ImportPreview
          chosen={chosen}
          isBusy={importing.isPending}
          onConfirm={() => {
            importing.mutate(chosen);
          }}
          onCancel={() => {
            setChosen(null);
          }}
        />
      )}
    </div>
  );
}

interface PreviewProps {
  readonly chosen: Chosen;
  readonly isBusy: boolean;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

function ImportPreview({ chosen, isBusy, onConfirm, onCancel }: PreviewProps): ReactNode {
  const { name, preview } = chosen;
  const { schemas, findings } = preview;
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const changed = schemas.filter(({ change }) => change !== 'same');
  return (
    <section className="card" aria-label={texts.previewOf(name)}>
      <h2>{texts.previewOf(name)}</h2>
      {errors > 0 && <p role="alert">{texts.errors(errors)}</p>}
      {findings.length > 0 && (
        <Table label={texts.columns[1] ?? ''} columns={texts.columns}>
          {findings.map(({ sheet, cell, severity, message }, at) => (
            <tr key={at}>
              <th scope="row">{cell === undefined ? sheet : `${sheet}!${cell}`}</th>
              <td>
                <span className={`mark ${severity}`}>{severity}</span> {message}
              </td>
            </tr>
          ))}
        </Table>
      )}
      {errors === 0 && changed.length === 0 && <p className="quiet">{texts.nothing}</p>}
      <ul>
        {changed.map(({ iri, name: schema, change, added, removed, changed: fields }) => (
          <li key={iri}>
            <strong>{schema}</strong>: {texts.change[change]}
            {change === 'changed' && ` – ${texts.fields(added, removed, fields)}`}
          </li>
        ))}
      </ul>
      <div className="inline">
        {errors === 0 && changed.length > 0 && (
          <button type="button" className="primary" disabled={isBusy} onClick={onConfirm}>
            {texts.confirm}
          </button>
        )}
        <button type="button" onClick={onCancel}>
          {texts.cancel}
        </button>
      </div>
    </section>
  );
}
