/** The fields of a form, from the JSON Schema of its credential. */
import { BlockworkApiError } from '@blockwork/client';
import { namesIn } from '@blockwork/react';
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
import { texts } from '../../texts.js';
import type { Values } from './form-defaults.js';
import { formParts } from './form-parts.js';
import { errorTree, formSchema } from './form-schema.js';
import { formUi } from './form-ui.js';
import { linksIn, withLinkedLists } from './linked-lists.js';
import { PartField, PartsContext } from './part-field.js';
import { PlaceField } from './place-field.js';
import { allClosed, focusProblem, nothingRevealed, revealed } from './reveal.js';

interface AreaProps {
  readonly document: RJSFSchema;
  readonly hideFields: readonly string[];
  /** Fields that are shown and cannot be changed. */
  readonly fixed: readonly string[];
  /** The values to begin with, also after a reset. */
  readonly initial: () => Values;
  readonly submitText: string;
  readonly isBusy: boolean;
  /** Of the server, shown at its fields. */
  readonly error: Error | null;
  readonly onSubmit: (values: Values, reset: () => void) => void;
}

const fields = { help: HelpField, part: PartField, place: PlaceField };

export function FormArea(props: AreaProps): ReactNode {
  const { document, hideFields, fixed, initial, submitText, isBusy, error, onSubmit } = props;
  const parts = useMemo(() => formParts(formSchema(document, hideFields)), [document, hideFields]);
  const fixedNames = JSON.stringify(fixed);
  const ui = useMemo(
    () => formUi(document, submitText, JSON.parse(fixedNames) as string[]),
    [document, submitText, fixedNames],
  );
  const links = useMemo(() => linksIn(document), [document]);
  const completed = (values: Values): Values => parts.fill(withLinkedLists(links, parts.shown(values)));
  const [values, setValues] = useState<Values>(() => completed(initial()));
  const [reveal, setReveal] = useState(nothingRevealed);
  const context = useMemo(() => ({ parts, reveal }), [parts, reveal]);
  const area = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error instanceof BlockworkApiError) setReveal(revealed(error.details.map(({ path }) => namesIn(path))));
  }, [error]);
  // The first problem may be in a part that has just been expanded.
  useEffect(() => {
    if (reveal.isFocusing) focusProblem(area.current);
  }, [reveal]);
  const reset = (): void => {
    setValues(completed(initial()));
    setReveal(allClosed());
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
          disabled={isBusy}
          onChange={({ formData }) => {
            setValues(completed(formData ?? {}));
          }}
          onSubmit={({ formData }: IChangeEvent<Values>) => {
            onSubmit(formData ?? {}, reset);
          }}
          // Errors are shown at their fields.
          onError={(problems) => {
            setReveal(revealed(problems.map(({ property = '' }) => namesIn(property))));
          }}
        />
      </div>
    </PartsContext>
  );
}

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
