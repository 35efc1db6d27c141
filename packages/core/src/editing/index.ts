/** Editing: operations on the definition of a policy, and drafts that are changed by them. */
export { applyingEdits, readOperations, type Edited } from './operations/apply.js';
export type { PolicyDefinition } from './operations/definition.js';
export type { EditContext } from './operations/edit-draft.js';
export {
  DraftEditor,
  type DraftChange,
  type EditOptions,
  type EditOutcome,
  type RevisedDefinition,
} from './draft-editor.js';
export { DraftFiles, type DraftFile, type DraftFileSummary } from './draft-files.js';
export { editNamed } from './edit-history.js';
export { definitionOf, recordsOf } from './stored-definition.js';
