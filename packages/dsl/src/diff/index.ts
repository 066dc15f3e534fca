// Differences of definitions: loads neither jq nor the checks of the validator.
export { type DefinitionChange, diffDefinitions } from './diff-definitions.ts'
export { readDocument } from './read-document.ts'
