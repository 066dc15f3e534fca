// The shape tables of the language as data for forms: loads neither jq nor a parser.
export { callShapes, functionCallShape, taskShapes } from './task-shapes.ts'
export { definitionShape } from './definition-shape.ts'
export { type ReadableStep, type ScopeAt, scopeAt } from '#src/scope/scope-at.ts'
export { stepsRead } from '#src/scope/steps-read.ts'
export { plainShape } from './plain-shape.ts'
export type { Property, Shape, StringReading } from './shape.ts'
export { type ShapeAt, shapeAt } from './shape-at.ts'
