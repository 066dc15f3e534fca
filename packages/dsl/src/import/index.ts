import { convertActions, isActionsWorkflow } from './formats/actions.ts'
import { convertActivepieces, isActivepiecesFlow } from './formats/activepieces.ts'
import { convertMake, isMakeBlueprint } from './formats/make.ts'
import { convertStateMachine, isStateMachine } from './formats/step-functions.ts'
import { convertN8n } from './n8n/convert.ts'
import { isN8nExport } from './n8n/read-export.ts'
import { type Imported, ImportError } from './report.ts'

export { type Imported, ImportError, type ImportFinding, type ImportReport, type SecretToFill, type TriggerProposal } from './report.ts'

/** Whether a document is of a format that `importWorkflow` converts. */
export function isImportable(value: unknown): boolean {
  return isN8nExport(value) || isStateMachine(value) || isActivepiecesFlow(value) || isMakeBlueprint(value) || isActionsWorkflow(value)
}

/**
 * Converts a workflow of another product. The result is not validated.
 * @throws ImportError if the document is of no known format, or cannot be one
 */
export function importWorkflow(value: unknown): Imported {
  if (isN8nExport(value)) return convertN8n(value)
  if (isStateMachine(value)) return convertStateMachine(value)
  if (isActivepiecesFlow(value)) return convertActivepieces(value)
  if (isMakeBlueprint(value)) return convertMake(value)
  if (isActionsWorkflow(value)) return convertActions(value)
  throw new ImportError(
    'The format is not known. Importable are exports of Millrace, n8n (`nodes` and `connections`), Activepieces (`trigger`), Make (`flow`), Step Functions (`StartAt` and `States`), and workflows of GitHub Actions (`jobs`).',
  )
}
