/** A member of the input of a workflow. */
export interface InputMember {
  readonly name: string
  /** The types of JSON Schema that it may have, such as `string or null`; empty when any is permitted. */
  readonly type: string
  readonly isRequired: boolean
}

/** The members that a JSON Schema of an object names; none for any other schema. */
export function inputMembers(schema: unknown): readonly InputMember[] {
  const { properties, required } = Object(schema ?? {})
  const names: readonly unknown[] = Array.isArray(required) ? required : []
  return Object.entries(Object(properties ?? {})).map(([name, member]) => ({
    name,
    type: typeOf(member),
    isRequired: names.includes(name),
  }))
}

function typeOf(schema: unknown): string {
  const { type, format } = Object(schema ?? {})
  if (typeof format === 'string') return format
  return Array.isArray(type) ? type.join(' | ') : typeof type === 'string' ? type : ''
}
