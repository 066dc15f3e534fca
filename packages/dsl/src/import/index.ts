import { convertN8n } from './n8n/convert.ts'
import { isN8nExport } from './n8n/read-export.ts'
import { type Imported, ImportError } from './report.ts'

export { type Imported, ImportError, type ImportFinding, type ImportReport, type SecretToFill, type TriggerProposal } from './report.ts'

/** Whether a document is of a format that `importWorkflow` converts. */
export function isImportable(value: unknown): boolean {
  return isN8nExport(value)
}

/**
 * Converts a workflow of another product. The result is not validated.
 * @throws ImportError if the document is of no known format, or cannot be one
 */
export function importWorkflow(value: unknown): Imported {
  if (isN8nExport(value)) return convertN8n(value)
  throw new ImportError('The format is not known. Importable are exports of Millrace and of n8n (JSON with `nodes` and `connections`).')
}
