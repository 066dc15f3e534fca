import type { Json } from './json.ts'

/** To compare so many characters counts as a step. */
const CHARACTERS_PER_STEP = 256

/** Whether two values are equal as JSON. @param spend is called with the steps of the work before it is done, and may refuse it by throwing. */
export function isEqual(one: Json, other: Json, spend: (steps: number) => void = () => undefined): boolean {
  spend(comparisonSteps(one))
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const members = Object.entries(one)
  if (members.length !== Object.keys(other).length) return false
  return members.every(([name, member]) => Object.hasOwn(other, name) && isEqual(member, Reflect.get(other, name), spend))
}

/** The steps of a comparison with the value, its members aside. */
export function comparisonSteps(value: Json): number {
  return typeof value === 'string' ? 1 + Math.floor(value.length / CHARACTERS_PER_STEP) : 1
}
