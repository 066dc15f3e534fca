import { createHash } from 'node:crypto'
import { Fault } from '@millrace/contract'
import { parseDefinition, renameDocument } from '@millrace/dsl'
import * as z from 'zod'
import { freeNames, type Naming } from '#modules/workflows/free-names.ts'
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

/** Makes the content of a new workflow from a template, under free names. Fault `parameters_invalid` names the parameters that are missing. */
export function newFromTemplate({ findTemplate }: FromTemplateDeps) {
  return async (templateId: string, options: FromTemplateOptions, naming: Naming): Promise<WorkflowFromTemplate> => {
    const { name, publish, parameters } = options
    const template = await findTemplate(templateId)
    if (template === undefined) throw new Fault('not_found', { detail: 'There is no such template.' })
    const { title, description, tags, version } = template
    const source = fillParameters(template.source, template.parameters, parameters)
    return {
      given: { ...(await freelyNamed(source, { name, title }, naming)), description, tags, publish },
      origin: { kind: 'template', source: templateId, version, checksum: checksumOf(template.source) },
    }
  }
}

const Named = z.looseObject({ document: z.looseObject({ namespace: z.string(), name: z.string() }) })

/**
 * A text of others under free names. A requested name becomes the document name, unless it has no letter of one, and stays as it is; without
 * one, a title whose document name is in use gets the number that the document gets.
 */
export async function freelyNamed(
  source: string,
  { name, title }: { readonly name: string | undefined; readonly title: string },
  naming: Naming,
): Promise<{ readonly definition: string; readonly name: string }> {
  const { document } = Named.parse(parseDefinition(source).document)
  const documentName = (name === undefined ? '' : documentNameOf(name)) || document.name
  const free = await freeNames({ name: title, documentName, namespace: document.namespace }, naming)
  const isRenamed = free.documentName !== document.name
  return { definition: (isRenamed ? renameDocument(source, free.documentName) : undefined) ?? source, name: name ?? free.name }
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
