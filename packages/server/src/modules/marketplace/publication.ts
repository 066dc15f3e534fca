import { Fault, type InvalidPart } from '@millrace/contract'
import { canonicalYaml, type Definition, drawText } from '@millrace/dsl'
import type { Json } from '@millrace/engine'
import { checksumOf, edited, type Parameter, permissionsOf, readmeOf } from '#modules/workflows/index.ts'
import { hostileParts } from '#platform/scan/hostile-text.ts'
import { scanJson, sentenceOf } from '#platform/scan/scan-json.ts'
import type { Category, Licence, Publication } from './model.ts'
import { valueAt } from '#platform/json-pointer.ts'

/** What a publisher says about a workflow. */
export interface PublicationText {
  readonly title: string
  readonly summary: string
  readonly author: string
  readonly category: Category
  readonly tags: readonly string[]
  readonly licence: Licence
  readonly readme: string | undefined
  readonly notes: string
  readonly parameters: readonly Omit<Parameter, 'required'>[]
}

/**
 * The definition as it is published: without the metadata of its document except for labels, and with the examples of the parameters at their places.
 * Fault `publication_refused` for a place that does not exist.
 */
export function publicDefinition(json: string, parameters: PublicationText['parameters']): unknown {
  const errors: InvalidPart[] = []
  let text = withLabelsAlone(json)
  for (const [index, { at, example }] of parameters.entries())
    for (const [place, pointer] of at.entries()) {
      if (valueAt(JSON.parse(text), pointer) === undefined || isHead(pointer))
        errors.push({ pointer: `/parameters/${index}/at/${place}`, detail: 'The definition has no value there that could be replaced.' })
      else text = edited(text, 'json', { kind: 'set', pointer, value: example })
    }
  if (new Set(parameters.map(({ name }) => name)).size < parameters.length)
    errors.push({ pointer: '/parameters', detail: 'Two parameters have the same name.' })
  if (errors.length > 0) throw new Fault('publication_refused', { errors })
  return JSON.parse(text)
}

/** Of the metadata of its document, labels of runs are what the workflow does; the rest may be notes of the account. */
function withLabelsAlone(json: string): string {
  const pointer = '/document/metadata'
  const document: Json = JSON.parse(json)
  if (valueAt(document, pointer) === undefined) return json
  const labels = valueAt(document, `${pointer}/labels`)
  return edited(json, 'json', labels === undefined ? { kind: 'unset', pointer } : { kind: 'set', pointer, value: { labels } })
}

/** Checks all that would be public, and completes it. Fault `publication_refused` names each place of a secret, personal data or hostile text. */
export function publicationOf(workflowId: string, definition: Definition, said: PublicationText): Publication {
  const { title, summary, author, category, tags, licence, notes } = said
  const parameters = said.parameters.map((parameter): Parameter => ({ ...parameter, required: true }))
  const readme = said.readme ?? readmeOf({ title, summary, definition, parameters })
  const texts = { title, summary, author, tags, notes, ...(said.readme === undefined ? {} : { readme }) }
  const described = { parameters: parameters.map(({ name, description }) => ({ name, description })) }
  const found = scanJson({ ...texts, ...described, definition })
  const errors = [
    ...found.map((finding) => ({ pointer: finding.pointer, detail: `${sentenceOf(finding)} ${adviceFor(finding.pointer)}` })),
    ...hostileParts({ ...texts, ...described }),
  ]
  if (errors.length > 0) throw new Fault('publication_refused', { errors: errors.slice(0, errorsMax) })
  const source = canonicalYaml(definition)
  return {
    workflowId,
    title,
    summary,
    author,
    category,
    tags: [...new Set(tags)],
    licence,
    content: {
      json: JSON.stringify(definition),
      source,
      checksum: checksumOf(source),
      readme,
      drawing: drawText(definition),
      notes,
      parameters,
      permissions: permissionsOf(definition),
    },
  }
}

const errorsMax = 100

function adviceFor(pointer: string): string {
  return pointer.startsWith('/definition')
    ? 'Read it from a secret, or name the place in `parameters` so that an import asks for it.'
    : 'Take it out.'
}

/** The identity of the document is not a parameter. */
function isHead(pointer: string): boolean {
  return /^\/document(?:\/(?:dsl|namespace|name|version))?$/.test(pointer)
}
