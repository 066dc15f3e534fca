import { ClientError } from '@millrace/client'
import { useState } from 'react'
import { useFirstWorkflow } from '#src/api/use-first-workflow.ts'
import { Field } from '#src/forms/field.tsx'
import { m } from '#src/messages/messages.ts'
import {
  type ChainContent,
  chainDraft,
  contentOf,
  isEdited,
  type SavedChain,
  withLatest,
  withSaved,
} from '#src/pages/chains/chain-draft.ts'
import type { Chain } from '#src/pages/chains/member.ts'
import { useAskedMember } from '#src/pages/chains/use-asked-member.ts'
import { MembersEditor } from '#src/pages/chains/members-editor.tsx'
import { useLeaveQuestionIf } from '#src/patterns/use-leave-question.tsx'
import { useMay } from '#src/session/use-may.ts'
import { Button } from '#src/ui/button.tsx'
import { ButtonLink } from '#src/ui/button-link.tsx'
import { Empty } from '#src/ui/empty.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'

interface ChainFormProps {
  readonly chain?: Chain
  /** Stores what was typed; `base` is the chain as it was when the edit began. */
  readonly send: (content: ChainContent, base: SavedChain | undefined) => Promise<SavedChain>
  readonly done: (saved: SavedChain) => Promise<unknown>
}

/** The name and the members of a chain. */
export function ChainForm(props: ChainFormProps) {
  const first = useFirstWorkflow()
  if (first === undefined) return <Skeleton />
  if (first === null)
    return (
      <Empty
        title={m.starting.noWorkflows}
        text={m.chains.needsWorkflows}
        action={
          <ButtonLink to="/new" look="primary">
            {m.workflows.create}
          </ButtonLink>
        }
      />
    )
  return <Fields {...props} first={first} />
}

function Fields({ chain, send, done, first }: ChainFormProps & { readonly first: string }) {
  const c = m.chains
  const [draft, setDraft] = useState(() => chainDraft(chain, first))
  if (chain !== undefined) {
    const now = withLatest(draft, chain, first)
    if (now !== draft) setDraft(now)
  }
  const { name, description, members } = draft
  const mayChange = useMay('triggers:write')
  const question = useLeaveQuestionIf(() => mayChange && isEdited(draft, first))
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const errors = errorsOf(problem)
  useAskedMember(chain)
  const save = async () => {
    const saved = await send(contentOf(draft), draft.base)
    setDraft((before) => withSaved(before, draft, saved, first))
    await done(saved)
  }
  return (
    <form
      className="form chain-form"
      onSubmit={(event) => {
        event.preventDefault()
        setBusy(true)
        setProblem(undefined)
        save()
          .catch(setProblem)
          .finally(() => setBusy(false))
      }}
    >
      <Field
        spec={{ name: 'name', label: m.workflows.name, required: true }}
        value={name}
        error={errors.get('/name')}
        onChange={(value) => setDraft((before) => ({ ...before, name: String(value) }))}
      />
      <Field
        spec={{ name: 'description', label: m.editor.description }}
        value={description}
        error={errors.get('/description')}
        onChange={(value) => setDraft((before) => ({ ...before, description: String(value) }))}
      />
      <header>
        <h2 className="t16 bb">{c.members}</h2>
        <p className="t13 i2">{c.membersHint}</p>
        <p className="hint">{c.jqHint}</p>
      </header>
      <MembersEditor
        members={members}
        change={(next) => setDraft((before) => ({ ...before, members: next }))}
        first={first}
        errors={errors}
      />
      {problem !== undefined && <ProblemPanel error={problem} />}
      {mayChange && (
        <div className="row form-foot">
          <Button type="submit" look="primary" busy={busy}>
            {chain === undefined ? m.common.create : m.common.save}
          </Button>
        </div>
      )}
      {question}
    </form>
  )
}

function errorsOf(problem: unknown): ReadonlyMap<string, string> {
  const parts = problem instanceof ClientError ? (problem.problem.errors ?? []) : []
  return new Map(parts.map(({ pointer, detail }) => [pointer, detail]))
}
