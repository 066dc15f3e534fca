import { createHash } from 'node:crypto'
import { Fault } from '@millrace/contract'
import { renameDocument } from '@millrace/dsl'
import type { NewWorkflow } from '#modules/workflows/model.ts'
import type { Origin } from './origin-store.ts'
import { fillParameters, type Parameter, type ParameterValues } from './parameters.ts'

/** A template as this module needs it. */
export interface WorkflowTemplate {
  readonly title: string
  readonly description: string
  readonly tags: readonly string[]
  readonly version: string
  readonly parameters: readonly Parameter[]
  /** YAML, comments included. */
  readonly source: string
}

export interface FromTemplateDeps {
  readonly findTemplate: (id: string) => Promise<WorkflowTemplate | undefined>
}

export interface FromTemplateOptions {
  readonly name: string | undefined
  readonly publish: boolean
  readonly parameters: ParameterValues
}

/** A new workflow, and where its content comes from. */
export interface WorkflowFromTemplate {
  readonly given: NewWorkflow
  readonly origin: Omit<Origin, 'workflowId' | 'importedAt'>
}

/**
 * The content of a new workflow from a template. A requested name also becomes the document name, so that one template can be used several times.
 * Fault `parameters_invalid` names the parameters that are missing.
 */
export async function newFromTemplate(
  { findTemplate }: FromTemplateDeps,
  templateId: string,
  { name, publish, parameters }: FromTemplateOptions,
): Promise<WorkflowFromTemplate> {
  const template = await findTemplate(templateId)
  if (template === undefined) throw new Fault('not_found', { detail: 'There is no such template.' })
  const source = fillParameters(template.source, template.parameters, parameters)
  return {
    given: {
      definition: named(source, name),
      name: name ?? template.title,
      description: template.description,
      tags: template.tags,
      publish,
    },
    origin: { kind: 'template', source: templateId, version: template.version, checksum: checksumOf(template.source) },
  }
}

/** The text with a document name made of a name; unchanged without a name, or for one that has no letter of a document name. */
export function named(source: string, name: string | undefined): string {
  const documentName = name === undefined ? '' : documentNameOf(name)
  return documentName === '' ? source : (renameDocument(source, documentName) ?? source)
}

export function checksumOf(source: string): string {
  return createHash('sha256').update(source).digest('hex')
}

/** Converts a name to a document name of at most 63 letters, digits and hyphens (RFC 1123); empty for a name in another script. */
export function documentNameOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return plain
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 63)
    .replace(/-$/, '')
}
