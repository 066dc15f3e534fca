import { JqSyntaxError } from '@millrace/jq'
import { absent, type Budget, constant, memberOf, objectOf, type Traced, traceProgram, unknown } from '@millrace/jq/tracing'
import type { Json } from '#src/json.ts'
import type { InputRead } from './input-read.ts'
import { lacksPart, type PathStep, stepsOf } from './input-parts.ts'

/** What is followed of mappings that are looked at together. */
export const mappingsBudget = (): Budget => ({ left: 20_000 })

/** What is known of an input before it is given: its value, or some of its members. */
export type GivenInput = Traced

export const anyInput: GivenInput = unknown
/** In place of a member that is certainly not given. */
export const notGiven: GivenInput = absent

export function knownInput(value: Json): GivenInput {
  return constant(value)
}

/** An object with these members; `isWhole` if it has no others. */
export function inputWith(members: Readonly<Record<string, GivenInput>>, isWhole: boolean): GivenInput {
  return objectOf(new Map(Object.entries(members)), isWhole)
}

/** What a mapping makes of a value; undefined for a mapping with a mistake. */
export function mappedInput(mapping: string, dot: GivenInput, budget: Budget): GivenInput | undefined {
  try {
    return traceProgram(mapping, { input: dot, variables: new Map(), found: () => undefined, as: 'value', budget })
  } catch (error) {
    if (!(error instanceof JqSyntaxError)) throw error
    return undefined
  }
}

/** Of the parts of its input that a workflow needs, those that it certainly does not get. */
export function readsNotGiven<Read extends Pick<InputRead, 'path' | 'needed'>>(reads: readonly Read[], given: GivenInput): readonly Read[] {
  return reads.filter(({ path, needed }) => needed && lacks(given, stepsOf(path)))
}

function lacks(given: GivenInput, steps: readonly PathStep[]): boolean {
  if (given === absent) return true
  if (given.known !== undefined) return lacksPart(given.known.value, steps)
  const [step, ...rest] = steps
  return typeof step === 'string' && lacks(memberOf(given, step), rest)
}
