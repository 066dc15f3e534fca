import { durationMs } from '@millrace/dsl'
import { isObject, type Json, type JsonObject } from '#core/json.ts'
import { fromYaml, type World } from './world.ts'

/** What stands below a step, and what the parentheses of its sentence found in it. */
export interface Given {
  readonly words: readonly string[]
  /** The block of text as it is written. */
  readonly text: string
  /** The block of text, read as YAML; null without one. */
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

/** Words with commas between them. */
export function listIn(word: string | undefined): readonly string[] {
  return (word ?? '').split(/, | and /).map((one) => one.trim())
}

export function objectIn(value: Json): JsonObject {
  if (!isObject(value)) throw new Error(`no object: ${JSON.stringify(value)}`)
  return value
}
