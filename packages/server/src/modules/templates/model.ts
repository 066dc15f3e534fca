import { parseDefinition, validateDefinition } from '@millrace/dsl'

/** A definition to create workflows from. */
export interface Template {
  /** Name of its file and of its document. */
  readonly id: string
  readonly title: string
  readonly description: string
  readonly tags: readonly string[]
  /** YAML, comments included. */
  readonly source: string
}

/** Reads a template, with its title, summary and tags from its document. Throws for an invalid one. */
export function readTemplate(id: string, source: string): Template {
  const { definition, diagnostics } = validateDefinition(parseDefinition(source, { format: 'yaml' }))
  if (definition === undefined)
    throw new Error(`The template ${id} is not valid: ${diagnostics.map(({ line, message }) => `line ${line}: ${message}`).join(' ')}`)
  const { name, title, summary, tags = {} } = definition.document
  if (name !== id || title === undefined || summary === undefined)
    throw new Error(`The document of the template ${id} must have that name, a title and a summary.`)
  return { id, title, description: summary, tags: Object.values(tags).map(String), source }
}
