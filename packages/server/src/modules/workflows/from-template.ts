import { Fault } from '@millrace/contract'
import { parseDefinition } from '@millrace/dsl'
import type { NewWorkflow } from './model.ts'

/** What is known of a template here; the catalogue is above. */
export interface WorkflowTemplate {
  readonly title: string
  readonly description: string
  readonly tags: readonly string[]
  /** YAML, comments included. */
  readonly source: string
}

export interface FromTemplateDeps {
  readonly findTemplate: (id: string) => Promise<WorkflowTemplate | undefined>
}

export interface FromTemplateOptions {
  readonly name: string | undefined
  readonly publish: boolean
}

/** What a workflow is to begin with. With a name of its own the document is called after it, so that a template serves many times. */
export async function newFromTemplate(
  { findTemplate }: FromTemplateDeps,
  templateId: string,
  { name, publish }: FromTemplateOptions,
): Promise<NewWorkflow> {
  const template = await findTemplate(templateId)
  if (template === undefined) throw new Fault('not_found', { detail: 'There is no such template.' })
  const documentName = name === undefined ? '' : documentNameOf(name)
  return {
    definition: documentName === '' ? template.source : renamed(template.source, documentName),
    name: name ?? template.title,
    description: template.description,
    tags: template.tags,
    publish,
  }
}

/** What of a name can be a document's: letters, digits and hyphens, at most 63 (RFC 1123); nothing of one in another script. */
function documentNameOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return plain
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 63)
    .replace(/-$/, '')
}

/** The text with another name of its document; all else stays, comments included. */
function renamed(source: string, name: string): string {
  const place = parseDefinition(source).positions.value('/document/name')
  if (place === undefined) throw new Error('a template has no document.name')
  // In quotes, since `1` and `null` are names too.
  return `${source.slice(0, place.start.offset)}'${name}'${source.slice(place.end.offset)}`
}
