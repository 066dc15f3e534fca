import type { Json } from '@millrace/engine'

const text = { type: 'string' }
const texts = { type: 'array', items: text }

function closed(properties: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> {
  return { type: 'object', additionalProperties: false, required: Object.keys(properties), properties }
}

/** A definition as a model returns it: by edits of one that it has seen, or whole. */
const changeProperties = {
  edits: {
    type: 'array',
    description: 'Changes of a definition that you were given or have written. Empty if you return a whole definition.',
    items: closed({ search: { ...text, description: 'Occurs in the definition exactly once.' }, replace: text }),
  },
  definition: { ...text, description: 'The whole definition in YAML. Empty if you return edits.' },
}

/** What a model returns for a new definition. Every member is required, as the strict mode of some endpoints wants it. */
export const generationSchema = closed({
  questions: { ...texts, description: 'Empty, or what has to be known before a definition can be written; the definition is then empty.' },
  ...changeProperties,
  explanation: text,
  assumptions: texts,
  requirements: {
    type: 'array',
    items: closed({ kind: { enum: ['secret', 'variable', 'endpoint', 'workflow', 'other'] }, name: text, reason: text }),
  },
})

export const explanationSchema = closed({ explanation: { ...text, description: 'Markdown.' } })
export const changeSchema = closed({ ...changeProperties, explanation: text })
export const expressionSchema = closed({ expression: { ...text, description: 'jq, without ${ }.' }, explanation: text })

/** The text of a member that a model wrote; empty if it is something else. */
export function textAt(data: Json, name: string): string {
  const value: unknown = Object(data)[name]
  return typeof value === 'string' ? value : ''
}

const itemsMax = 50

/** The texts of a member that a model wrote. */
export function textsAt(data: Json, name: string): readonly string[] {
  return itemsAt(data, name).filter((item): item is string => typeof item === 'string' && item.trim() !== '')
}

export function itemsAt(data: Json, name: string): readonly unknown[] {
  const value: unknown = Object(data)[name]
  return Array.isArray(value) ? value.slice(0, itemsMax) : []
}

/** A definition without the fence that models like to put around it. */
export function unfenced(given: string): string {
  const trimmed = given.trim()
  return `${(/^```(?:ya?ml|json)?[^\S\n]*\n([\s\S]*?)\n?```$/.exec(trimmed)?.[1] ?? trimmed).trimEnd()}\n`
}
