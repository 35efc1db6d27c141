/** A row button that returns data: a service's response, or the transformed row. */
import type { ReactNode } from 'react';
import { texts } from '../../texts.js';
import { DialogButton } from '../../ui/dialog-button.js';
import { download } from '../../ui/download.js';
import { Failure } from '../../ui/failure.js';
import { JsonView } from '../../ui/json-view.js';
import { useSend } from '../policy-context.js';
import { SendButton } from '../send-button.js';
import type { AddonProps } from './row-addons.js';

interface Answered {
  readonly data?: unknown;
  /** The URL to which programs may post the data. */
  readonly url?: string;
}

export function AskingButton({ answer, row }: AddonProps<{ readonly buttonName?: string }>): ReactNode {
  const send = useSend({ uuid: answer.id });
  const name = answer.buttonName || texts.page.send;
  const answered = send.data as Answered | undefined;
  return (
    <div className="actions">
      <SendButton send={send} data={{ document: { id: row.id } }}>
        {name}
      </SendButton>
      {answered !== undefined && (
        <DialogButton label={texts.rows.answer} title={name}>
          {() => <AnswerView name={name} answered={answered} />}
        </DialogButton>
      )}
      <span role="status" className="quiet">
        {answered !== undefined && texts.rows.answered}
      </span>
      {send.error !== null && <Failure error={send.error} />}
    </div>
  );
}

function AnswerView({ name, answered: { data = null, url = '' } }: { name: string; answered: Answered }): ReactNode {
  return (
    <div className="stack">
      {url !== '' && <p className="quiet">{texts.rows.meantFor(url)}</p>}
      <JsonView value={data} />
      <div className="actions">
        <button
          type="button"
          onClick={() => {
            download(JSON.stringify(data, null, 2), `${name}.json`, 'application/json');
          }}
        >
          {texts.rows.save}
        </button>
      </div>
    </div>
  );
}
