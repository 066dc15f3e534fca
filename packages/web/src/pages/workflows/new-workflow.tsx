import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { Problems } from '#src/editor/problems.tsx'
import { TextEditor } from '#src/editor/text-editor.tsx'
import { useDiagnosis } from '#src/editor/use-diagnosis.ts'
import { m } from '#src/messages/messages.ts'
import { emptyDefinition } from '#src/pages/home/example.ts'
import { Page as Shell } from '#src/patterns/page.tsx'
import { SameName } from '#src/patterns/same-name.tsx'
import { useSession } from '#src/session/session.ts'
import { Button } from '#src/ui/button.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'

/** Where a tab keeps what a person has typed and not saved, so that a step back or a reload finds it again. */
const keyOf = (user: string | undefined) => `new-workflow ${user}`

export function Page() {
  const navigate = useNavigate()
  const key = keyOf(useSession(({ me }) => me?.id))
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? emptyDefinition(Date.now().toString(36).slice(-4)))
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const [goTo, setGoTo] = useState<{ readonly line: number }>()
  const { findings, document, isChecked } = useDiagnosis(text)
  const change = (next: string) => {
    setText(next)
    try {
      sessionStorage.setItem(key, next)
    } catch {
      // A text that is larger than a tab may keep is lost with the page, since no place for it is left.
      sessionStorage.removeItem(key)
    }
  }
  const create = () => {
    if (busy) return
    setBusy(true)
    api.workflows
      .create({ body: { definition: text, publish: false } })
      .then(({ id }) => {
        sessionStorage.removeItem(key)
        return navigate({ to: `/workflows/${id}` })
      })
      .catch(setProblem)
      .finally(() => setBusy(false))
  }
  return (
    <Shell
      title={m.editor.new}
      lede={m.editor.newLede}
      wide
      actions={
        <>
          <label className="btn">
            {m.editor.openFile}
            <input
              type="file"
              className="vh"
              accept=".yaml,.yml,.json"
              onChange={(event) => void event.target.files?.[0]?.text().then(change)}
            />
          </label>
          <Button look="primary" onClick={create} busy={busy}>
            {m.editor.save}
          </Button>
        </>
      }
    >
      <Problems findings={findings} isChecked={isChecked} goTo={({ line }) => setGoTo({ line })} />
      <SameName name={nameOf(document)} />
      {problem !== undefined && <ProblemPanel error={problem} />}
      <div className="panel new-editor">
        <TextEditor text={text} label={m.editor.definition} findings={findings} goTo={goTo} onChange={change} onSave={create} />
      </div>
    </Shell>
  )
}

/** The name that a workflow gets from its definition. */
function nameOf(definition: unknown): string {
  const { title, name }: Readonly<Record<string, unknown>> = Object(Object(definition).document)
  const named = typeof title === 'string' && title.trim() !== '' ? title : name
  return typeof named === 'string' ? named : ''
}
