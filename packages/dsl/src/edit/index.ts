// Edits of a definition as changes of its text: loads neither jq nor the checks of the validator.
export type { Edit, EditFault, EditResult, Edited, TaskRange, TextChange } from './edit.ts'
export { applyChanges, invertChanges } from './apply-changes.ts'
export { editText } from './edit-text.ts'
