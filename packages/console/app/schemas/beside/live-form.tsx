/** The form of a schema as its users will see it, to be filled in and checked; nothing is sent. */
import type { Json } from '@blockwork/contract/schema-model';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { Loading } from '../../ui/loading.js';
import { schemaTexts } from '../schema-texts.js';

const FormArea = lazy(async () => {
  const { FormArea: area } = await import('../../page/form/form-area.js');
  return { default: area };
});

const nothing: readonly string[] = [];
const texts = schemaTexts.beside;

export function LiveForm({ document, isEmpty }: { readonly document: Json; readonly isEmpty: boolean }): ReactNode {
  /** The document that the form has accepted. */
  const [accepted, setAccepted] = useState<Json | null>(null);
  if (isEmpty) return <p className="quiet">{texts.noFields}</p>;
  return (
    <Suspense fallback={<Loading />}>
      <FormArea
        document={document}
        hideFields={nothing}
        fixed={nothing}
        initial={() => ({})}
        submitText={texts.check}
        isBusy={false}
        error={null}
        onSubmit={() => {
          setAccepted(document);
        }}
      />
      {accepted === document && <p role="status">{texts.valid}</p>}
    </Suspense>
  );
}
