import { durationMs } from '@millrace/dsl'
import { isObject, type Json, type JsonObject } from '#core/json.ts'
import { fromYaml, type World } from './world.ts'

/** The groups that a sentence matched, and the block or table below its step. */
export interface Given {
  readonly words: readonly string[]
  /** The block of text. */
  readonly text: string
  /** The block of text, parsed as YAML; null without a block. */
  readonly value: Json
  readonly table: readonly (readonly string[])[]
}

export type Sentence = readonly [sentence: RegExp, act: (world: World, given: Given) => void | Promise<void>]

/** A value in a sentence, written as YAML in one line. */
export function valueIn(word: string | undefined): Json {
  return fromYaml(word ?? 'null')
}

/** An ISO 8601 duration in a sentence, in milliseconds. */
export function msIn(word: string | undefined): number {
  const ms = durationMs(word)
  if (ms === undefined) throw new Error(`no duration: ${word ?? ''}`)
  return ms
}

/** A list with commas or `and` between its words. */
export function listIn(word: string | undefined): readonly string[] {
  return (word ?? '').split(/, | and /).map((one) => one.trim())
}

export function objectIn(value: Json): JsonObject {
  if (!isObject(value)) throw new Error(`no object: ${JSON.stringify(value)}`)
  return value
}
