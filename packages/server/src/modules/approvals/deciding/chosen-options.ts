import type { JsonValue } from '@millrace/contract'
import { type Json, type JsonObject, membersOf } from '@millrace/engine'

const optionsMax = 10
const charactersMax = 100

/**
 * The members of a form that ask for one of several options, with the option that was chosen. Options are texts of the workflow, so that they can be in the
 * audit log; what a person writes freely is not in it.
 */
export function chosenOptions(form: JsonObject | undefined, data: Json | undefined): Readonly<Record<string, JsonValue>> {
  const given = membersOf(data)
  const chosen = Object.entries(membersOf(form?.['properties'])).flatMap(([name, property]) => {
    const value = given[name]
    const isOption = Array.isArray(membersOf(property)['enum']) && (typeof value === 'number' || typeof value === 'string')
    return isOption && String(value).length <= charactersMax ? [[name, value] as const] : []
  })
  return Object.fromEntries(chosen.slice(0, optionsMax))
}
