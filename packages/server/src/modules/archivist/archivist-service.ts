import { Fault, type JsonValue } from '@millrace/contract'
import { type CompiledWorkflow, isTerminal, type JournalEntry, type Processor, type Verdict } from '@millrace/engine'
import { type ExecutionReader, findActors, type StoredExecution } from '@millrace/engine/storage'
import { type AuditReading, type EvidenceKeys, executionEventId, type InclusionProof } from '#modules/audit/index.ts'
import { type Decision, decisionsAbout } from '#modules/privacy/index.ts'
import { findVersion } from '#modules/workflows/index.ts'
import type { Database } from '#platform/db/database.ts'
import { toTypeId } from '#platform/ids.ts'
import { type Remains, remainsOf } from './remains.ts'
import { entryOf } from './journal-entry.ts'
import { type ApprovalEvidence, type Envelope, signStatement, statementOf } from './receipt.ts'
import { type ReplayReport, reportReplay } from './replay-report.ts'

export interface ArchivistDeps {
  readonly database: Pick<Database, 'account'>
  readonly reader: Pick<ExecutionReader, 'executions' | 'journal'>
  readonly processor: Processor
  readonly loadWorkflow: (accountId: string, versionId: string) => Promise<CompiledWorkflow>
  /** Replays an execution and compares it with its record. */
  readonly verify: (executionId: string, isErased: boolean) => Promise<Verdict | undefined>
  /** The erasure that has replaced data of an execution, if one has. */
  readonly erasedOf: (
    accountId: string,
    execution: StoredExecution,
  ) => Promise<{ readonly erasureId: string; readonly at: Date; readonly attestedBy: string | undefined } | undefined>
  readonly approvalsOf: (accountId: string, executionId: string) => Promise<readonly ApprovalEvidence[]>
  readonly audit: Pick<AuditReading, 'prove'>
  readonly keys: EvidenceKeys
  readonly now: () => number
}

/** A receipt with what it is about. */
export interface Receipt {
  readonly execution: StoredExecution
  readonly statement: JsonValue
  readonly envelope: Envelope
  /** Whether a replay gives the recorded result. */
  readonly verified: boolean
  /** That the end of the execution is in the audit log. */
  readonly proof: InclusionProof | undefined
  /** Members that the audit log has otherwise. */
  readonly differences: readonly string[]
  /** SubjectPublicKeyInfo, DER in base64. */
  readonly publicKey: string
  readonly journal: JsonValue
  /** How many effects it states. */
  readonly effects: number
  readonly approvals: readonly ApprovalEvidence[]
  readonly decisions: readonly Decision[]
  /** The text of the author. */
  readonly definition: { readonly source: string; readonly syntax: string } | undefined
}

/** Produces evidence of single executions. */
export interface Archivist {
  replay(accountId: string, executionId: string): Promise<ReplayReport>
  /** Faults: `not_found`, `execution_unfinished`. */
  receipt(accountId: string, executionId: string): Promise<Receipt>
}

const replayMsMax = 20_000

export function createArchivist(deps: ArchivistDeps): Archivist {
  const { database, reader, audit, keys, now } = deps

  async function find(
    accountId: string,
    id: string,
  ): Promise<{ execution: StoredExecution; journal: readonly JournalEntry[]; verdict: Verdict; erased: Remains | undefined }> {
    const [execution] = await reader.executions([{ accountId, id }])
    if (execution === undefined) throw new Fault('not_found', { detail: 'There is no such execution.' })
    const journal = await reader.journal({ accountId, id })
    const erasure = await deps.erasedOf(accountId, execution)
    const verdict = await deps.verify(id, erasure !== undefined)
    if (verdict === undefined) throw new Fault('not_found', { detail: 'There is no such execution.' })
    if (erasure === undefined) return { execution, journal, verdict, erased: undefined }
    const attestation = erasure.attestedBy === undefined ? undefined : await audit.prove(accountId, erasure.attestedBy)
    return { execution, journal, verdict, erased: remainsOf(erasure, execution, journal, attestation) }
  }

  return {
    async replay(accountId, executionId) {
      const found = await find(accountId, executionId)
      const workflow = await deps.loadWorkflow(accountId, found.execution.versionId)
      const tooLong = AbortSignal.timeout(replayMsMax)
      try {
        return await reportReplay(deps.processor, { accountId, workflow, ...found }, tooLong)
      } catch (error) {
        if (!tooLong.aborted) throw error
        throw new Fault('overloaded', {
          detail: 'The tasks of this execution compute too much to be replayed now. Try again later.',
          cause: error,
          retryAfterSeconds: 10,
        })
      }
    },

    async receipt(accountId, executionId) {
      const { execution, journal, verdict, erased } = await find(accountId, executionId)
      if (!isTerminal(execution.state))
        throw new Fault('execution_unfinished', { detail: `The execution is ${execution.state}. It has a receipt when it has ended.` })
      const { startedBy, version, decisions } = await database.account(accountId, async (tx) => ({
        decisions: await decisionsAbout(tx, accountId, `execution:${toTypeId('exec', executionId)}`),
        startedBy: await findActors(tx, accountId, executionId),
        version: await findVersion(tx, accountId, execution.workflowId, execution.version),
      }))
      const approvals = await deps.approvalsOf(accountId, executionId)
      const proof = await audit.prove(accountId, executionEventId(executionId, 'ended'))
      const { statement, differences } = statementOf({
        execution,
        journal,
        definition: version === undefined ? undefined : { checksum: version.definition.checksum, documentVersion: version.documentVersion },
        startedBy: startedBy.toSorted(),
        approvals,
        decisions,
        audit: proof,
        verdict,
        erased,
        issuedAt: new Date(now()),
      })
      const key = await keys.signer('receipt')
      return {
        execution,
        statement,
        envelope: signStatement(statement, key),
        verified: verdict.difference === undefined,
        proof,
        differences,
        publicKey: key.publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
        journal: journal.map(entryOf),
        effects: journal.filter(({ phase }) => phase === 'ended').length,
        approvals,
        decisions,
        definition: version === undefined ? undefined : { source: version.definition.source, syntax: version.definition.syntax },
      }
    },
  }
}
