/** Lists in forms: the items with labelled buttons. */
import type { ArrayFieldItemTemplateProps, ArrayFieldTemplateProps } from '@rjsf/utils';
import type { ReactNode } from 'react';
import { texts } from '../../texts.js';

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

export const listTemplates = { ArrayFieldTemplate: List, ArrayFieldItemTemplate: Item };
