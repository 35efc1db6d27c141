/** A form that sends to a block. Server errors appear at their fields. */
import type { Slot } from '@blockwork/react';
import type { GridRow } from '@blockwork/react/rows';
import type { RJSFSchema } from '@rjsf/utils';
import { type ReactNode, useState } from 'react';
import { usePeople } from '../../session/people.js';
import { texts } from '../../texts.js';
import { Failure } from '../../ui/failure.js';
import { useSend } from '../policy-context.js';
import { FormArea } from './form-area.js';
import { type PresetField, presetValues } from './form-presets.js';

export interface FormAnswer extends Slot {
  readonly schema: { readonly document?: RJSFSchema } | null;
  readonly hideFields?: readonly string[];
  readonly data?: GridRow | null;
  readonly presetFields?: readonly PresetField[];
}

interface BlockFormProps {
  readonly uuid: string;
  readonly answer: FormAnswer;
  /** The row of the grid that the form was opened from. */
  readonly row?: GridRow;
  readonly onSent?: () => void;
}

const noFields: RJSFSchema = {};
const nothingHidden: readonly string[] = [];

export default function BlockForm({ uuid, answer, row, onSent }: BlockFormProps): ReactNode {
  const send = useSend({ uuid });
  const { active } = usePeople();
  const { presetFields = [], hideFields = nothingHidden } = answer;
  const document = answer.schema?.document ?? noFields;
  const [isSent, setIsSent] = useState(false);
  const { error } = send;
  return (
    <>
      <FormArea
        document={document}
        hideFields={hideFields}
        fixed={fixedFields(answer)}
        initial={() => presetValues(document, presetFields, row ?? answer.data, active?.name ?? '')}
        submitText={texts.page.send}
        isBusy={send.isPending}
        error={error}
        onSubmit={(values, reset) => {
          setIsSent(false);
          send.mutate(
            { document: values, ref: row ?? answer.data ?? null },
            {
              onSuccess: () => {
                reset();
                setIsSent(true);
                onSent?.();
              },
            },
          );
        }}
      />
      {error !== null && <Failure error={error} />}
      {isSent && <p role="status">{texts.page.sent}</p>}
    </>
  );
}

const fixedFields = ({ presetFields = [] }: FormAnswer): string[] =>
  presetFields.flatMap(({ name, readonly }) => (readonly === true ? name : []));
