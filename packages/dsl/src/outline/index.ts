// The drawing of a document that may not validate: loads neither jq nor the validator.
export type { Badge, Outline, OutlineEntry, OutlineList, OutlinePlace, OutlineState } from './outline.ts'
export { outlineOf } from './outline-of.ts'
export type { FlowEntry } from '#src/tasks/list-flow.ts'
export { type Lane, type LanesRegion, type Region, regionsOf } from './regions-of.ts'
