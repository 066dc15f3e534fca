import type { JsonValue } from '@millrace/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { Field } from '#src/forms/field.tsx'
import { FieldProblems } from '#src/forms/use-form.ts'
import { m } from '#src/messages/messages.ts'
import type { RetryPreview as Previewed } from '#src/rehearse/run-record.ts'
import { RetryPreview } from '#src/run/retry-preview.tsx'
import type { RunDetail } from '#src/run/use-run.ts'
import { maskedMembers } from '#src/run-input/masked-members.ts'
import { RunForm } from '#src/run-input/run-form.tsx'
import { useRequirements } from '#src/run-input/use-requirements.ts'
import { versionWord } from '#src/ui/badge.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { jsonDifferences } from '#src/values/json-diff.ts'

/** A retry keeps what the run did before it stopped, in the version of the run or the latest one, with the same input or another. */
export function RetrySheet({ run, onClose }: { readonly run: RunDetail; readonly onClose: () => void }) {
  const [known, setKnown] = useState<Previewed>()
  const way = wayOf(known)
  return (
    <Dialog title={way?.title ?? m.runView.retryTitle} kind="sheet" onClose={onClose}>
      <div className="form" aria-live="polite">
        {stopOf(known) !== undefined && <p className="notice-strip">{stopOf(known)}</p>}
        {way !== undefined && <p className="i2">{way.text}</p>}
      </div>
      <RetryForm run={run} onClose={onClose} unadvised={stopOf(known) !== undefined} onKnown={setKnown} />
    </Dialog>
  )
}

interface RetryFormProps {
  readonly run: RunDetail
  readonly onClose: () => void
  readonly unadvised: boolean
  /** Gets what the retry will do, as far as that is known. */
  readonly onKnown: (preview: Previewed | undefined) => void
}

/** A larger input is not edited. */
const charactersMax = 1_000_000

/** The version that a retry continues with, and the form of its input, filled in with what the run had. */
function RetryForm({ run, onClose, unadvised, onKnown }: RetryFormProps) {
  const navigate = useNavigate()
  const [version, setVersion] = useState(run.workflowVersion < 0 ? 'original' : 'latest')
  const [typed, setTyped] = useState<JsonValue>()
  const began = useQuery({
    queryKey: ['run.began', run.id],
    queryFn: () => api.executions.record({ params: { executionId: run.id }, query: { limit: 1 } }),
  })
  const { schema, reads, isPending } = useRequirements(run.workflowId)
  if (began.isError) return <ProblemPanel error={began.error} retry={() => void began.refetch()} />
  if (began.data === undefined || isPending) return <Skeleton rows={3} />
  const { input, definition } = began.data
  const isLatest = version === 'latest'
  const fixed = JSON.stringify(input).length > charactersMax
  const retry = async (changed: JsonValue | undefined) => {
    const next = await api.executions.retry({
      params: { executionId: run.id },
      body: { ...(isLatest ? { version: 'latest' as const } : {}), ...(changed === undefined ? {} : { input: changed }) },
    })
    onClose()
    await navigate({ to: `/runs/${next.id}` })
  }
  const before = (
    <Field
      spec={{
        name: 'version',
        label: m.run.retryWith,
        kind: 'select',
        options: [
          ['latest', m.run.latest],
          ['original', m.run.original(versionWord(run.workflowVersion))],
        ],
        hint: m.run.versionHint,
      }}
      value={version}
      error={undefined}
      onChange={(value) => setVersion(String(value))}
    />
  )
  const below = () => <RetryPreview run={run} latest={isLatest} input={typed ?? input} onKnown={onKnown} />
  const label = unadvised ? m.runView.retryAnyway : m.run.retry
  if (fixed)
    return (
      <DataForm
        initial={{}}
        fields={[]}
        before={
          <>
            {before}
            <p className="i2 t13">{m.runInput.tooLarge}</p>
          </>
        }
        below={below}
        send={() => retry(undefined)}
        label={label}
        unadvised={unadvised}
      />
    )
  return (
    <RunForm
      workflow={run.workflowId}
      schema={isLatest ? schema : inputSchemaIn(definition)}
      reads={isLatest ? reads : []}
      given={input}
      restores
      before={before}
      below={below}
      label={label}
      unadvised={unadvised}
      onTyped={setTyped}
      start={(next) => retry(jsonDifferences(input, next, 1).length === 0 ? undefined : unmasked(next, input, run))}
    />
  )
}

/** An input that was changed. Throws where it would be sent with masks in place of what the run had. */
function unmasked(input: JsonValue, stored: JsonValue, { trigger, erased }: RunDetail): JsonValue {
  // What a workflow gives to another is stored without its secrets; a retry keeps what its run began with.
  const ofSecrets = trigger === 'workflow' || trigger === 'retry'
  const names = maskedMembers(input, stored, { ofSecrets, ofErasures: erased !== undefined })
  if (names.length > 0) throw new FieldProblems(Object.fromEntries(names.map((name) => [name, m.runInput.maskedValue])))
  return input
}

function inputSchemaIn(definition: JsonValue): unknown {
  const { input } = Object(definition)
  return Object(Object(input).schema).document
}

/** What a retry would end with at once, in words. */
function stopOf(known: Previewed | undefined): string | undefined {
  return typeof known?.end === 'object' && 'name' in known.end ? m.runView.failsAgain(known.end.name, known.end.title) : undefined
}

function wayOf(known: Previewed | undefined) {
  const isUnfit = typeof known?.end === 'object' && 'unfit' in known.end
  if (known === undefined || isUnfit) return undefined
  return known.taken.size > 0 ? m.runView.fromStop : m.runView.fromBegin
}
