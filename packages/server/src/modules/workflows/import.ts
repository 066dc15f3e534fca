import { Fault } from '@millrace/contract'
import { ImportError, importWorkflow, type ImportReport } from '@millrace/dsl/import'
import * as z from 'zod'
import { losesName } from './document-names.ts'
import { documentNameOf } from './importing/from-template.ts'
import { freeNames, type Naming } from './free-names.ts'
import { assertIntact, type Importable } from './transfer.ts'

interface OwnExport extends Importable {
  readonly name?: string | undefined
  readonly description?: string | null | undefined
  readonly tags?: string[] | undefined
}

/** An import as requested. */
export interface RequestedImport {
  /** Of Millrace if it has a `format`; of another product otherwise. */
  readonly export: (OwnExport & { readonly format: 'millrace/workflow' }) | Readonly<Record<string, unknown>>
  readonly name?: string | undefined
  readonly publish: boolean
}

/**
 * The workflow to create from an export of Millrace, or from one of another product with a report of its conversion. The latter gets the name that is requested, or
 * that of its export, with a number if the account has a workflow of this name: other products allow many workflows of one name.
 */
export async function importedOf(requested: RequestedImport, naming: Naming) {
  const { export: source, publish } = requested
  if (isOwn(source)) {
    assertIntact(source)
    const { document, name, description, tags } = source
    return { definition: document, name: requested.name ?? name, description: description ?? undefined, tags, publish, report: undefined }
  }
  if (publish) {
    throw new Fault('import_invalid', {
      detail: 'A workflow of another product is imported as a draft. Import it without `publish`, read the report, then publish.',
    })
  }
  const { definition, report } = converted(source)
  const { document } = Named.parse(definition)
  const name = requested.name ?? report.name
  const wanted = (requested.name === undefined ? '' : documentNameOf(requested.name)) || document.name
  const free = await freeNames({ name, documentName: wanted, namespace: document.namespace }, naming)
  const named = { ...definition, document: { ...document, name: free.documentName } }
  return {
    definition: JSON.stringify(named, null, 2),
    name: free.name,
    description: undefined,
    tags: undefined,
    publish,
    report: reportView(report),
  }
}

/** Whether a request is repeated with the next free name: an export of Millrace keeps its name, and would lose it again. */
export const importLosesName = (fault: Fault, { body }: { readonly body: Pick<RequestedImport, 'export'> }): boolean =>
  losesName(fault) && !isOwn(body.export)

/** What every conversion writes. */
const Named = z.looseObject({ document: z.looseObject({ namespace: z.string(), name: z.string() }) })

function isOwn(source: RequestedImport['export']): source is OwnExport & { readonly format: 'millrace/workflow' } {
  return source['format'] === 'millrace/workflow'
}

function converted(source: unknown): ReturnType<typeof importWorkflow> {
  try {
    return importWorkflow(source)
  } catch (error) {
    if (error instanceof ImportError)
      throw new Fault('import_invalid', { detail: `${error.pointer === '' ? '' : `${error.pointer}: `}${error.message}` })
    throw error
  }
}

function reportView({ findings, starts, triggers, secrets, variables, ...report }: ImportReport) {
  return {
    ...report,
    findings: [...findings],
    starts: starts.map(startView),
    triggers: triggers.map(startView),
    secrets: secrets.map(({ secret, kind, usedBy }) => ({ secret, kind, usedBy: [...usedBy] })),
    variables: [...variables],
  }
}

function startView({ name, kind, settings }: ImportReport['triggers'][number]) {
  return { name, kind, settings: { ...settings } }
}
