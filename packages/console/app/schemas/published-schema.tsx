/** A schema by the id of the message that published it, as one edit of the draft. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useClient } from '../api/server.js';
import { DialogButton } from '../ui/dialog-button.js';
import { MessageIdForm } from '../ui/message-id-form.js';
import { schemaTexts } from './schema-texts.js';

const texts = schemaTexts.published;

interface PublishedSchemaProps {
  readonly id: string;
  /** Told what has become of it. */
  readonly onImported: (said: string) => void;
}

export function PublishedSchema(props: PublishedSchemaProps): ReactNode {
  return (
    <DialogButton label={texts.open} title={texts.title}>
      {(close) => <Form {...props} onClose={close} />}
    </DialogButton>
  );
}

function Form({ id, onImported, onClose }: PublishedSchemaProps & { readonly onClose: () => void }): ReactNode {
  const { routes } = useClient();
  const queries = useQueryClient();
  const importing = useMutation({
    mutationFn: async (messageId: string) => {
      const { data } = await routes.importPublishedSchema({ policyId: id, body: { messageId } });
      await queries.invalidateQueries();
      const [schema] = data.schemas;
      onImported(schema === undefined ? '' : texts.done(schema.name, schema.change));
      onClose();
    },
  });
  return (
    <MessageIdForm label={texts.title} submit={texts.import} importing={importing}>
      <p className="quiet">{texts.explain}</p>
    </MessageIdForm>
  );
}
