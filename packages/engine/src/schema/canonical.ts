import { isArray, type Json } from '#core/json.ts'
import type { Run } from './run.ts'

/** A text that two values share if they are equal as JSON. Without a run it is free of charge, for values whose size is bounded. */
export function canonical(value: Json, run?: Run): string {
  run?.charge(1)
  if (typeof value === 'string') return textKey(value, run)
  if (typeof value !== 'object' || value === null) return String(value)
  run?.enter()
  const text = isArray(value) ? `[${arrayKey(value, run)}]` : `{${objectKey(value, run)}}`
  if (run !== undefined) run.depth -= 1
  return text
}

/** The steps to look up a text. V8 does not hash texts of more than 16,383 units, but compares those of equal length. */
export function keySteps(text: string): number {
  return text.length > 16_383 ? text.length >> 3 : text.length >> 6
}

/** The length in front makes any content unambiguous, and is cheaper than escapes. */
function textKey(text: string, run: Run | undefined): string {
  run?.charge(text.length >> 6)
  return `${text.length}"${text}`
}

function arrayKey(list: readonly Json[], run: Run | undefined): string {
  let text = ''
  for (const item of list) text += `${canonical(item, run)},`
  return text
}

function objectKey(object: { readonly [name: string]: Json }, run: Run | undefined): string {
  const names = Object.keys(object)
  run?.charge(sortSteps(names.length))
  let text = ''
  for (const name of names.toSorted()) text += `${textKey(name, run)}:${canonical(object[name] ?? null, run)},`
  return text
}

function sortSteps(count: number): number {
  return Math.ceil((count * Math.log2(count + 1)) / 4)
}
