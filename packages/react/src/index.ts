/** `@blockwork/react`: policies in React, as hooks without looks and as a page of plain elements. */
export { BlockworkProvider, useClient } from './provider.js';
export { type BlockOptions, type BlockQuery, openAnswer, useBlock, usePolicy, useRoot } from './hooks/use-block.js';
export { useSend } from './hooks/use-send.js';
export { type FormBlock, type FormBlockOptions, useFormBlock } from './hooks/use-form-block.js';
export { type Form, type FormField, type FormOptions, useForm } from './hooks/use-form.js';
export { type Grid, type GridOptions, useGrid } from './hooks/use-grid.js';
export { type Filter, type FilterOption, useFilter } from './hooks/use-filter.js';
export { type GridSorting, type GridState, nextSorting, sortFieldOf } from './hooks/grid-state.js';
export { type FieldFacts, type FieldKind, type FormSchema, namesIn, serverFields } from './form/fields.js';
export { isPlace } from './form/presets.js';
export {
  cellText,
  type Column,
  type ColumnGroup,
  type GridRow,
  isOffered,
  pressed,
  type RowButton,
  valueAt,
} from './rows.js';
export { type Slot, textOf, titleOf } from './slot.js';
export { PolicyPage } from './page/policy-page.js';
export { BlockView, type BlockViewProps, type BlockViews, PolicyViews, usePolicyId } from './page/views.js';
