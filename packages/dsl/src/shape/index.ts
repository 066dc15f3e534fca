// The shape tables of the language as data for forms: loads neither jq nor a parser.
export { callShapes, functionCallShape, taskShapes } from './task-shapes.ts'
export { definitionShape } from './definition-shape.ts'
export { plainShape } from './plain-shape.ts'
export type { Property, Shape, StringReading } from './shape.ts'
export { type ShapeAt, shapeAt } from './shape-at.ts'
