import { Fault } from '@millrace/contract'
import { ImportError, importWorkflow, type ImportReport } from '@millrace/dsl/import'
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

/** The workflow to create from an export of Millrace, or from one of another product with a report of its conversion. */
export function importedOf(requested: RequestedImport) {
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
  return { definition, name: requested.name ?? report.name, description: undefined, tags: undefined, publish, report: reportView(report) }
}

function isOwn(source: RequestedImport['export']): source is OwnExport & { readonly format: 'millrace/workflow' } {
  return source['format'] === 'millrace/workflow'
}

function converted(source: unknown): { definition: string; report: ImportReport } {
  try {
    const { definition, report } = importWorkflow(source)
    return { definition: JSON.stringify(definition, null, 2), report }
  } catch (error) {
    if (error instanceof ImportError)
      throw new Fault('import_invalid', { detail: `${error.pointer === '' ? '' : `${error.pointer}: `}${error.message}` })
    throw error
  }
}

function reportView({ findings, triggers, secrets, variables, ...report }: ImportReport) {
  return {
    ...report,
    findings: [...findings],
    triggers: triggers.map(({ name, kind, settings }) => ({ name, kind, settings: { ...settings } })),
    secrets: secrets.map(({ secret, kind, usedBy }) => ({ secret, kind, usedBy: [...usedBy] })),
    variables: [...variables],
  }
}
