import { Fault } from '@millrace/contract'
import { parseDefinition } from '@millrace/dsl'
import type { NewWorkflow } from './model.ts'

/** A template as this module needs it. */
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

/** The content of a new workflow from a template. A requested name also becomes the document name, so that one template can be used several times. */
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

/** Converts a name to a document name of at most 63 letters, digits and hyphens (RFC 1123); empty for a name in another script. */
function documentNameOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return plain
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 63)
    .replace(/-$/, '')
}

/** Replaces the document name in a text; everything else stays, comments included. */
function renamed(source: string, name: string): string {
  const place = parseDefinition(source).positions.value('/document/name')
  if (place === undefined) throw new Error('a template has no document.name')
  // In quotes, since `1` and `null` are names too.
  return `${source.slice(0, place.start.offset)}'${name}'${source.slice(place.end.offset)}`
}
