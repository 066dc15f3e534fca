import { Fault } from '@millrace/contract'
import { hasErasureMark } from '@millrace/contract/transparency'
import { digestOf } from '#modules/audit/index.ts'
import type { Archivist, Receipt } from '#modules/archivist/archivist-service.ts'
import { addCounts } from '#modules/archivist/pii-summary.ts'
import type { Envelope } from '#modules/archivist/receipt.ts'
import { toTypeId } from '#platform/ids.ts'
import { type ReportRow, testedDraft } from './report.ts'

/** What a pack has about one execution. It is kept until the file is complete. */
export interface PackPart {
  readonly row: ReportRow
  /** Undefined for an execution that retention has deleted, or that has not ended. */
  readonly evidence: PackEvidence | undefined
}

export interface PackEvidence {
  readonly envelope: Envelope
  /** The text of the file with input, output and journal. */
  readonly journal: string
  readonly versionId: string
  readonly definition: { readonly source: string; readonly syntax: string } | undefined
  /** Whether data of a person was erased in it. */
  readonly isErased: boolean
}

export async function makePart(archivist: Pick<Archivist, 'receipt'>, accountId: string, executionId: string): Promise<PackPart> {
  const id = toTypeId('exec', executionId)
  const receipt = await receiptOf(archivist, accountId, executionId)
  if (receipt === undefined) return { row: { id, proven: undefined }, evidence: undefined }
  const { execution, envelope, journal, definition } = receipt
  const input: unknown = JSON.parse(execution.input)
  const output: unknown = execution.output === undefined ? null : JSON.parse(execution.output)
  const text = `${JSON.stringify({ id, input, output, error: execution.error ?? null, journal })}\n`
  return {
    row: rowOf(id, receipt),
    evidence: { envelope, journal: text, versionId: execution.versionId, definition, isErased: hasErasureMark(text) },
  }
}

async function receiptOf(archivist: Pick<Archivist, 'receipt'>, accountId: string, id: string): Promise<Receipt | undefined> {
  try {
    return await archivist.receipt(accountId, id)
  } catch (error) {
    if (error instanceof Fault && (error.code === 'not_found' || error.code === 'execution_unfinished')) return undefined
    throw error
  }
}

function rowOf(id: string, receipt: Receipt): ReportRow {
  const { execution, verified, statement, approvals, decisions, effects, proof, differences } = receipt
  const findings: Record<string, number> = {}
  for (const { counts } of decisions) addCounts(findings, counts)
  return {
    id,
    proven: {
      state: execution.state,
      endedAt: execution.endedAt?.toISOString(),
      version: `${toTypeId('wf', execution.workflowId)} ${execution.version < 0 ? testedDraft : `version ${execution.version}`}`,
      isTest: execution.version < 0,
      isReplayed: verified,
      loggedOn: proof?.date,
      differences,
      digest: digestOf(statement),
      effects,
      approvals: approvals.map(({ state }) => state),
      findings,
    },
  }
}
