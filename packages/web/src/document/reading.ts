import { type Json, parseDefinition } from '@millrace/dsl'
import { type Outline, outlineOf, type OutlineState } from '@millrace/dsl/outline'
import type { Syntax } from '#src/document/apply-edits.ts'

/** What a text says: its tasks as far as they can be read, and the document as data, which is undefined while the text cannot be read whole. */
export interface Reading {
  readonly outline: Outline
  readonly json: Json | undefined
}

/** Reads texts that follow each other: entries that did not change are the same objects in the next reading. */
export function createReader(syntax: Syntax): (text: string) => Reading {
  let before: OutlineState | undefined
  return (text) => {
    const outline = outlineOf(text, syntax, before)
    before = { text, syntax, outline }
    return { outline, json: parseDefinition(text, { format: syntax }).document }
  }
}
