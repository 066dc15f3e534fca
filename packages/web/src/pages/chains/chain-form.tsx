import { ClientError } from '@millrace/client'
import { useState } from 'react'
import { useFirstWorkflow } from '#src/api/use-first-workflow.ts'
import { Field } from '#src/forms/field.tsx'
import { m } from '#src/messages/messages.ts'
import { type Chain, draftOf, type Member, type MemberDraft, memberOf, newMember } from '#src/pages/chains/member.ts'
import { useAskedMember } from '#src/pages/chains/use-asked-member.ts'
import { MembersEditor } from '#src/pages/chains/members-editor.tsx'
import { useMay } from '#src/session/use-may.ts'
import { Button } from '#src/ui/button.tsx'
import { ButtonLink } from '#src/ui/button-link.tsx'
import { Empty } from '#src/ui/empty.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'

export interface ChainContent {
  readonly name: string
  readonly description: string | null
  readonly members: Member[]
}

interface ChainFormProps {
  readonly chain?: Chain
  readonly send: (content: ChainContent) => Promise<unknown>
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

function Fields({ chain, send, first }: ChainFormProps & { readonly first: string }) {
  const c = m.chains
  const [name, setName] = useState(chain?.name ?? '')
  const [description, setDescription] = useState(chain?.description ?? '')
  const [members, setMembers] = useState<readonly MemberDraft[]>(() => chain?.members.map(draftOf) ?? [newMember('step1', first)])
  const mayChange = useMay('triggers:write')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const errors = errorsOf(problem)
  useAskedMember(chain)
  return (
    <form
      className="form chain-form"
      onSubmit={(event) => {
        event.preventDefault()
        setBusy(true)
        setProblem(undefined)
        send({ name, description: description.trim() === '' ? null : description, members: members.map(memberOf) })
          .catch(setProblem)
          .finally(() => setBusy(false))
      }}
    >
      <Field
        spec={{ name: 'name', label: m.workflows.name, required: true }}
        value={name}
        error={errors.get('/name')}
        onChange={(value) => setName(String(value))}
      />
      <Field
        spec={{ name: 'description', label: m.editor.description }}
        value={description}
        error={errors.get('/description')}
        onChange={(value) => setDescription(String(value))}
      />
      <header>
        <h2 className="t16 bb">{c.members}</h2>
        <p className="t13 i2">{c.membersHint}</p>
        <p className="hint">{c.jqHint}</p>
      </header>
      <MembersEditor members={members} change={setMembers} first={first} errors={errors} />
      {problem !== undefined && <ProblemPanel error={problem} />}
      {mayChange && (
        <div className="row form-foot">
          <Button type="submit" look="primary" busy={busy}>
            {chain === undefined ? m.common.create : m.common.save}
          </Button>
        </div>
      )}
    </form>
  )
}

function errorsOf(problem: unknown): ReadonlyMap<string, string> {
  const parts = problem instanceof ClientError ? (problem.problem.errors ?? []) : []
  return new Map(parts.map(({ pointer, detail }) => [pointer, detail]))
}
