/** A policy by the id of the message that published it. */
import type { ReactNode } from 'react';
import { useImport } from '../policies/use-import.js';
import { MessageIdForm } from '../ui/message-id-form.js';
import { studioTexts } from './texts.js';

const texts = studioTexts.newPolicy.message;

export function ImportMessage(): ReactNode {
  const importing = useImport((routes, messageId: string) => routes.importPublishedPolicy({ body: { messageId } }));
  return (
    <MessageIdForm label={texts.title} submit={texts.import} importing={importing}>
      <h3>{texts.title}</h3>
      <p className="quiet">{texts.explain}</p>
    </MessageIdForm>
  );
}
