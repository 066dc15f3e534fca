import { outlineOf as outlineOfText } from '@millrace/dsl/outline'
import { type DrawnEntry, drawingOf } from '#src/flow/drawing.ts'

export type OutlineEntry = DrawnEntry

/** The tasks of a definition that is data, in the order of the document. */
export function outlineOf(definition: unknown): readonly OutlineEntry[] {
  return definition === undefined ? [] : drawingOf(outlineOfText(JSON.stringify(definition), 'json')).entries
}
