import { isArray, isObject, type Json, type JsonObject } from '#core/json.ts'
import type { Node } from '#schema/rule.ts'

/** The number that a keyword was given. */
export function numberOf(given: Json, node: Node, keyword: string): number {
  return typeof given === 'number' ? given : node.refuse(keyword, 'a number')
}

export function countOf(given: Json, node: Node, keyword: string): number {
  return typeof given === 'number' && given >= 0 ? given : node.refuse(keyword, 'a number that is not negative')
}

export function textOf(given: Json, node: Node, keyword: string): string {
  return typeof given === 'string' ? given : node.refuse(keyword, 'a string')
}

export function listOf(given: Json, node: Node, keyword: string): readonly Json[] {
  return isArray(given) ? given : node.refuse(keyword, 'a list')
}

export function mapOf(given: Json, node: Node, keyword: string): JsonObject {
  return isObject(given) ? given : node.refuse(keyword, 'an object')
}

export function namesOf(given: Json, node: Node, keyword: string): readonly string[] {
  const names = isArray(given) ? given.filter((name) => typeof name === 'string') : []
  return isArray(given) && names.length === given.length ? names : node.refuse(keyword, 'a list of names')
}
