// The layout of definitions: loads neither jq nor the checks of the validator.
export { formatDefinition, type Formatted } from './format-definition.ts'
