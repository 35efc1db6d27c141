/** A form that sends to a block. Server errors appear at their fields. */
import type { BlockName } from '@blockwork/client';
import { type GridRow, useFormBlock, usePolicyId } from '@blockwork/react';
import type { RJSFSchema } from '@rjsf/utils';
import type { ReactNode } from 'react';
import { usePeople } from '../../session/people.js';
import { texts } from '../../texts.js';
import { Failure } from '../../ui/failure.js';
import { FormArea } from './form-area.js';

interface BlockFormProps {
  readonly block: BlockName;
  /** The row of the grid that the form was opened from. */
  readonly row?: GridRow;
  readonly onSent?: () => void;
}

export default function BlockForm({ block, row, onSent }: BlockFormProps): ReactNode {
  const { active } = usePeople();
  const from = { reference: row ?? null, username: active?.name ?? '' };
  const form = useFormBlock(usePolicyId(), block, from);
  const { schema, hidden, fixed, initial, isSending, isSent, error, send } = form;
  return (
    <>
      <FormArea
        document={schema as RJSFSchema}
        hideFields={hidden}
        fixed={fixed}
        initial={initial}
        submitText={texts.page.send}
        isBusy={isSending}
        error={error}
        onSubmit={(values, reset) => {
          send(values, () => {
            reset();
            onSent?.();
          });
        }}
      />
      {error !== null && <Failure error={error} />}
      {isSent && <p role="status">{texts.page.sent}</p>}
    </>
  );
}
