/** The fields of a form, from the JSON Schema of its credential. Server errors appear at their fields. */
import { BlockworkApiError } from '@blockwork/client';
import Form from '@rjsf/core/lib/components/Form.js';
import type { IChangeEvent } from '@rjsf/core/lib/components/Form.js';
import type {
  ArrayFieldItemTemplateProps,
  ArrayFieldTemplateProps,
  ErrorSchema,
  FieldProps,
  RJSFSchema,
} from '@rjsf/utils';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { usePeople } from '../../session/people.js';
import { texts } from '../../texts.js';
import { Failure } from '../../ui/failure.js';
import type { GridRow } from '../grid/rows.js';
import { type Slot, useSend } from '../policy-context.js';
import type { Values } from './form-defaults.js';
import { formParts } from './form-parts.js';
import { type PresetField, presetValues } from './form-presets.js';
import { errorTree, fieldPath, formSchema, formUi } from './form-schema.js';
import { linksIn, withLinkedLists } from './linked-lists.js';
import { PartField, PartsContext } from './part-field.js';
import { PlaceField } from './place-field.js';
import { allClosed, focusProblem, nothingRevealed, revealed } from './reveal.js';

export interface FormAnswer extends Slot {
  readonly schema: { readonly document?: RJSFSchema } | null;
  readonly hideFields?: readonly string[];
  readonly data?: GridRow | null;
  readonly presetFields?: readonly PresetField[];
}

interface FieldsProps {
  readonly uuid: string;
  readonly answer: FormAnswer;
  /** The row of the grid that the form was opened from. */
  readonly row?: GridRow;
  readonly onSent?: () => void;
}

const fields = { help: HelpField, part: PartField, place: PlaceField };
const noFields: RJSFSchema = {};

export default function FormFields({ uuid, answer, row, onSent }: FieldsProps): ReactNode {
  const send = useSend({ uuid });
  const { active } = usePeople();
  const { presetFields = [] } = answer;
  const document = answer.schema?.document ?? noFields;
  const parts = useMemo(() => formParts(formSchema(document, answer.hideFields ?? [])), [answer, document]);
  const ui = useMemo(() => formUi(document, texts.page.send, fixedFields(answer)), [answer, document]);
  const links = useMemo(() => linksIn(document), [document]);
  const completed = (values: Values): Values => parts.fill(withLinkedLists(links, parts.shown(values)));
  const preset = (): Values => completed(presetValues(document, presetFields, row ?? answer.data, active?.name ?? ''));
  const [values, setValues] = useState<Values>(preset);
  const [isSent, setIsSent] = useState(false);
  const [reveal, setReveal] = useState(nothingRevealed);
  const context = useMemo(() => ({ parts, reveal }), [parts, reveal]);
  const area = useRef<HTMLDivElement>(null);
  const { error } = send;
  useEffect(() => {
    if (error instanceof BlockworkApiError) setReveal(revealed(error.details.map(({ path }) => fieldPath(path))));
  }, [error]);
  // The first problem may be in a part that has just been expanded.
  useEffect(() => {
    if (reveal.isFocusing) focusProblem(area.current);
  }, [reveal]);
  const submit = ({ formData }: IChangeEvent<Values>): void => {
    setIsSent(false);
    send.mutate(
      { document: formData ?? {}, ref: row ?? answer.data ?? null },
      {
        onSuccess: () => {
          setValues(preset());
          setReveal(allClosed());
          setIsSent(true);
          onSent?.();
        },
      },
    );
  };
  const atFields: ErrorSchema = error instanceof BlockworkApiError ? errorTree(error.details) : {};
  return (
    <PartsContext value={context}>
      <div ref={area}>
        <Form<Values>
          schema={parts.outline}
          uiSchema={ui}
          fields={fields}
          templates={listTemplates}
          validator={parts.validator}
          formData={values}
          extraErrors={atFields}
          showErrorList={false}
          noHtml5Validate
          disabled={send.isPending}
          onChange={({ formData }) => {
            setValues(completed(formData ?? {}));
          }}
          onSubmit={submit}
          // Errors are shown at their fields.
          onError={(problems) => {
            setReveal(revealed(problems.map(({ property = '' }) => fieldPath(property))));
          }}
        />
      </div>
      {error !== null && <Failure error={error} />}
      {isSent && <p role="status">{texts.page.sent}</p>}
    </PartsContext>
  );
}

const fixedFields = ({ presetFields = [] }: FormAnswer): string[] =>
  presetFields.flatMap(({ name, readonly }) => (readonly === true ? name : []));

const words = texts.list;

function List({
  title,
  required = false,
  fieldPathId,
  items,
  schema,
  canAdd = false,
  disabled = false,
  readonly = false,
  onAddClick,
}: ArrayFieldTemplateProps): ReactNode {
  const name = title || words.unnamed;
  return (
    <fieldset id={fieldPathId.$id}>
      <legend>
        {name}
        {required && <span className="required">*</span>}
      </legend>
      {schema.description !== undefined && schema.description !== name && <p className="quiet">{schema.description}</p>}
      {items.length === 0 ? <p className="quiet">{words.empty}</p> : <ol className="form-list">{items}</ol>}
      {canAdd && (
        <button type="button" disabled={disabled || readonly} aria-label={words.addTo(name)} onClick={onAddClick}>
          {words.add}
        </button>
      )}
    </fieldset>
  );
}

function Item({ children, buttonsProps, index, hasToolbar }: ArrayFieldItemTemplateProps): ReactNode {
  const { hasRemove, onRemoveItem, disabled = false, readonly = false } = buttonsProps;
  return (
    <li>
      <div>{children}</div>
      {hasToolbar && hasRemove && (
        <button
          type="button"
          disabled={disabled || readonly}
          aria-label={words.removeAt(index + 1)}
          onClick={onRemoveItem}
        >
          {words.remove}
        </button>
      )}
    </li>
  );
}

const listTemplates = { ArrayFieldTemplate: List, ArrayFieldItemTemplate: Item };

function HelpField({ schema, name, required = false, formData, onChange, fieldPathId }: FieldProps): ReactNode {
  useEffect(() => {
    if (required && formData === undefined) onChange(null, fieldPathId.path);
  }, [required, formData, onChange, fieldPathId]);
  return <p className="quiet">{schema.title ?? name}</p>;
}
