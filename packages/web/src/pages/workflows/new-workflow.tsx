import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { Problems } from '#src/editor/problems.tsx'
import { TextEditor } from '#src/editor/text-editor.tsx'
import { useDiagnosis } from '#src/editor/use-diagnosis.ts'
import { m } from '#src/messages/messages.ts'
import { emptyDefinition } from '#src/pages/home/example.ts'
import { Page as Shell } from '#src/patterns/page.tsx'
import { Button } from '#src/ui/button.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'

export function Page() {
  const navigate = useNavigate()
  const [text, setText] = useState(() => emptyDefinition(Date.now().toString(36).slice(-4)))
  const [problem, setProblem] = useState<unknown>()
  const [goTo, setGoTo] = useState<{ readonly line: number }>()
  const { findings } = useDiagnosis(text)
  const create = () => {
    api.workflows
      .create({ body: { definition: text, publish: false } })
      .then(({ id }) => navigate({ to: `/workflows/${id}` }))
      .catch(setProblem)
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
              onChange={(event) => void event.target.files?.[0]?.text().then(setText)}
            />
          </label>
          <Button look="primary" onClick={create}>
            {m.editor.save}
          </Button>
        </>
      }
    >
      <Problems findings={findings} goTo={({ line }) => setGoTo({ line })} />
      {problem !== undefined && <ProblemPanel error={problem} />}
      <div className="panel new-editor">
        <TextEditor text={text} label={m.editor.definition} findings={findings} goTo={goTo} onChange={setText} onSave={create} />
      </div>
    </Shell>
  )
}
